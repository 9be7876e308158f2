/** The real command, killed: every call that was answered is in the audit, and what may have been destroyed is too. */
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditRow } from '../../packages/callboard/src/store/audit-store.ts'
import { createJournalAuditStore } from '../../packages/callboard/src/store/journal/journal-audit-store.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, ERAS, type Era, type Serving, type Site } from '../gateway/callboard.ts'

async function serve(): Promise<{ readonly site: Site; readonly serving: Serving }> {
  const site = createSite({ echo: { mcp: fixtureCommand('echo-server') } }, { audit: { arguments: true } })
  onTestFinished(() => site[Symbol.asyncDispose]())
  const serving = await site.serve()
  await serving.prints(/^echo +up/m)
  return { site, serving }
}

async function clientOf(era: Era, serving: Serving) {
  const client = await connect(era, serving)
  // Its host is gone by then.
  onTestFinished(() => client.close().catch(() => undefined))
  return client
}

async function rowsOf({ dir }: Site): Promise<readonly AuditRow[]> {
  using audit = createJournalAuditStore(join(dir, 'data', 'audit'))
  const rows: AuditRow[] = []
  for (let piece = await audit.after(); piece !== undefined; piece = await audit.after(piece.end))
    rows.push(...piece.rows)
  return rows
}

async function kill({ child }: Serving): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test.each(ERAS)('a call that was answered (%s) is in the audit, though the host was killed right then', async (era) => {
  const { site, serving } = await serve()
  const client = await clientOf(era, serving)
  const answered: number[] = []
  const killed = Promise.withResolvers<void>()
  const calls = Array.from({ length: 60 }, async (_, n) => {
    await client.callTool({ name: 'echo_echo', arguments: { n } })
    answered.push(n)
    if (answered.length === 20) kill(serving).then(killed.resolve, killed.reject)
  })
  await Promise.race([Promise.allSettled(calls), killed.promise])
  await killed.promise
  const recorded = (await rowsOf(site)).map((row) => JSON.parse(row.arguments ?? '{}').n)
  expect(answered.length).toBeGreaterThanOrEqual(20)
  expect(recorded).toEqual(expect.arrayContaining(answered))
})

test('a tool that may destroy something is in the audit as started, though the host did not live to see its end', async () => {
  const { site, serving } = await serve()
  const client = await clientOf('modern', serving)
  const begun = Promise.withResolvers<void>()
  const answer = client
    .callTool({ name: 'echo_wait', arguments: { n: 1 } }, { onprogress: () => begun.resolve() })
    .catch(() => undefined)
  await begun.promise
  await kill(serving)
  await Promise.race([answer, client.close()])
  expect((await rowsOf(site)).map(({ tool, outcome, arguments: args }) => [tool, outcome, args])).toEqual([
    ['plugin:echo:wait', 'started', '{"n":1}'],
  ])
})
