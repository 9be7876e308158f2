/**
 * Runs the soak of MCP servers, or of external plugins with `--external` (`--minutes N`, 15 by default), writes its figures into
 * docs/performance.md (not with `--dry`), and ends with 1 when something is wrong.
 */
import { writeSection } from './page.ts'
import { startSoakPlugins } from './soak/plugins.ts'
import { runSoak } from './soak/run-soak.ts'
import { startSoakServers } from './soak/servers.ts'
import { soakFaults, soakPage } from './soak/soak-page.ts'

const at = process.argv.indexOf('--minutes')
const minutes = at < 0 ? 15 : Number(process.argv[at + 1])
if (!(minutes > 0)) throw new Error('--minutes needs a number of minutes, such as 0.5')

const isExternal = process.argv.includes('--external')
const report = await runSoak(minutes, isExternal ? startSoakPlugins : startSoakServers)
const markdown = soakPage(report, isExternal ? 'plugin' : 'server')
console.log(markdown)
const faults = soakFaults(report)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else if (!process.argv.includes('--dry')) writeSection(isExternal ? 'soak-external' : 'soak', markdown)
