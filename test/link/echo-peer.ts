/** One end of a link in a process of its own: answers every call with its own bytes. */
import { once } from 'node:events'
import { type Credentials, HOST_URI, listenForLinks, serveLink, type Transport } from '@callboard/sdk/external'

/** The first message to this process. */
export interface EchoOrder {
  readonly transport: Transport
  readonly credentials: Credentials
}

const [{ transport, credentials }] = (await once(process, 'message')) as [EchoOrder]
const listener = await listenForLinks(transport, {
  address: { host: '127.0.0.1', port: 0 },
  credentials,
  protocols: ['callboard/1'],
  expects: HOST_URI,
  onLink: (link) =>
    void serveLink(link, async ({ body }) => {
      if (body.case !== 'toolCall') throw new Error(`nothing serves ${body.case}`)
      return { case: 'toolCall', value: { success: true, resultJson: body.value.argumentsJson } }
    }),
  onRefused: (from, error) => void process.stderr.write(`${from}: ${error.message}\n`),
})
process.send?.(listener.address)
process.on('disconnect', () => process.exit())
