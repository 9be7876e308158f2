import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { Agent, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { patientFetch } from './patient-fetch.ts'

// Both are read when the first request goes out. A second is about the least that is kept to.
setGlobalDispatcher(new Agent({ headersTimeout: 100, bodyTimeout: 100 }))

/** A server whose answers the test gives, and its address. */
async function silentServer(): Promise<{
  readonly url: string
  readonly asked: (path: string) => Promise<ServerResponse>
}> {
  const requests = new Map<string, PromiseWithResolvers<ServerResponse>>()
  const request = (path: string): PromiseWithResolvers<ServerResponse> => {
    const known = requests.get(path) ?? Promise.withResolvers<ServerResponse>()
    requests.set(path, known)
    return known
  }
  const server = createServer(({ url = '' }, response) => request(url).resolve(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  return { url: `http://127.0.0.1:${port}`, asked: (path) => request(path).promise }
}

test('silence before the answer ends what others fetch, and not what is fetched with patience', async () => {
  const { url, asked } = await silentServer()
  const patient = patientFetch(`${url}/patient`)
  await asked('/patient')
  await expect(fetch(`${url}/other`)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
  ;(await asked('/patient')).end('at last')
  expect(await (await patient).text()).toBe('at last')
})

test('so does silence in the middle of it', async () => {
  const { url, asked } = await silentServer()
  const begin = async (path: string): Promise<void> => void (await asked(path)).write('at ')
  const [patient, other] = await Promise.all([
    patientFetch(`${url}/patient`),
    fetch(`${url}/other`),
    begin('/patient'),
    begin('/other'),
  ])
  await expect(other.text()).rejects.toMatchObject({ cause: { code: 'UND_ERR_BODY_TIMEOUT' } })
  ;(await asked('/patient')).end('last')
  expect(await patient.text()).toBe('at last')
})

test('its signal ends the waiting', async () => {
  const { url, asked } = await silentServer()
  const caller = new AbortController()
  const patient = patientFetch(url, { signal: caller.signal })
  await asked('/')
  caller.abort(new Error('enough'))
  await expect(patient).rejects.toThrow('enough')
})
