/** The floor: a hand-written JSON-RPC proxy on `node:http` without the SDK, in front of one stdio server; not conformant. */
import { createServer, type ServerResponse } from 'node:http'
import { announce } from './announce.ts'
import { StdioPeer } from './stdio-peer.ts'

const peer = await StdioPeer.start(process.argv.slice(2))

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => void relay(Buffer.concat(chunks).toString(), response))
})

async function relay(text: string, response: ServerResponse): Promise<void> {
  const { id, method, params } = JSON.parse(text)
  const { result, error } = await peer.request(method, params)
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

announce(server)
