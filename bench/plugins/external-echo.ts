/** The echo of the plugin benchmark as a process of its own. */
import { servePlugin } from '@callboard/sdk/external'
import { echoPlugin } from './echo-plugin.ts'

await servePlugin(echoPlugin)
