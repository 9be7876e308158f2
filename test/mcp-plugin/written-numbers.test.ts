/** Numbers that doubles would write otherwise reach those who pass results on as they were written, and everybody else as doubles. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UpstreamError } from '../../packages/callboard/src/errors.ts'
import { parseWritten } from '../../packages/callboard/src/exact-json.ts'
import { compactJson, ODD_NUMBERS } from '../fixtures/any-json.ts'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, type McpUnderTest, stdioPlugin } from './mcp-under-test.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const ways: [string, () => Promise<McpUnderTest>][] = ['legacy', 'modern'].flatMap((era) => [
  [`stdio, ${era}`, () => Promise.resolve(stdioPlugin('written-server', ['--era', era]))],
  [`HTTP, ${era}`, () => httpPlugin('written-server', ['--era', era])],
  [`HTTP, ${era}, streams`, () => httpPlugin('written-server', ['--era', era, '--sse'])],
])
ways.push(['HTTP+SSE', () => httpPlugin('written-server', ['--era', 'legacy', '--http-sse'])])

const takesEncoded = { takesEncoded: true }

describe.each(ways)('over %s', (_, make) => {
  let under: McpUnderTest
  beforeAll(async () => {
    under = await make()
    await startPlugin(under.plugin, AbortSignal.timeout(50_000))
  })
  afterAll(() => under[Symbol.asyncDispose]())

  test('any result, and the data of any error', async () => {
    await fc.assert(
      fc.asyncProperty(compactJson, async (json) => {
        const result = `{"content":[],"structuredContent":${json},"_meta":{"m":${json}},"more":[${json}]}`
        const passed = JSON.stringify(await callPlugin(under.plugin, 'say', { json: result }, takesEncoded))
        expect(parts(passed)).toEqual(parts(result))
        const failed = callPlugin(under.plugin, 'fail', { json: `{"of":[${json}]}` }, takesEncoded)
        expect(await failed.catch(({ writtenData }: UpstreamError) => JSON.stringify(writtenData))).toBe(
          `{"of":[${json}]}`,
        )
      }),
      { numRuns: 25 },
    )
  })

  test('all the odd ones, after progress, and as doubles for who reads them', async () => {
    for (const number of ODD_NUMBERS) {
      const json = `{"content":[{"type":"text","text":"t"}],"isError":true,"structuredContent":${number}}`
      const seen: unknown[] = []
      const onProgress = (step: unknown): void => void seen.push(step)
      const passed = await callPlugin(under.plugin, 'say', { json }, { ...takesEncoded, onProgress })
      expect(parts(JSON.stringify(passed))).toEqual(parts(json))
      expect(seen).toHaveLength(1)
      expect(passed.isError).toBe(true)
      expect(await callPlugin(under.plugin, 'say', { json })).toEqual(JSON.parse(json))
      const failed = callPlugin(under.plugin, 'fail', { json: number })
      expect(await failed.catch(({ data }: UpstreamError) => data)).toEqual(JSON.parse(number))
    }
  })

  test('arguments', async () => {
    const json = `{"n":[${ODD_NUMBERS.join()}]}`
    const args = { n: ODD_NUMBERS.map(Number) }
    const written = { writtenArguments: Object(parseWritten(json)) }
    expect(textOf(await callPlugin(under.plugin, 'echo', args, written))).toBe(json)
    expect(textOf(await callPlugin(under.plugin, 'echo', { n: [1] }))).toBe('{"n":[1]}')
  })
})

/** The fields of an object in JSON, each as it was written. */
function parts(json: string): Readonly<Record<string, string>> {
  const fields = Object.entries(Object(parseWritten(json)))
  return Object.fromEntries(fields.map(([name, value]) => [name, JSON.stringify(value)]))
}
