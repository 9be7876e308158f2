/** Plugins of the existing protocol behind the real command: over MCP, on the command line, and in what the doctor says. */
import { expect, test } from 'vitest'
import { createStage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { eventually } from '../fixtures/plugin-calls.ts'
import { textOf as answerOf, connect, createSite, ERAS } from '../gateway/callboard.ts'
import { WITHOUT_QUIC } from '../link/without-quic.ts'

/** A command starts the plugin each time. */
const PATIENCE_MS = 60_000

const entry = (more: object = {}) => ({
  external: { ...fixtureCommand('orchestra-plugin'), protocol: 'orchestra', grants: ['storage', 'tools'], ...more },
})

test.each(ERAS)(
  'an MCP client of the %s era gets pieces as progress, and its user calls through the plugin',
  async (era) => {
    await using site = createSite({ 'tools.notes': entry() }, { expose: 'all' })
    const client = await connect(era, { stdio: site.stdio })
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    try {
      await eventually(async () => (await names()).includes('tell'), 'the tools of the plugin', PATIENCE_MS)
      const messages: unknown[] = []
      const told = await client.callTool(
        { name: 'tell', arguments: {} },
        {
          onprogress: ({ message }) => {
            messages.push(message)
            // It came while the tool still runs.
            if (message === 'upon ') void client.callTool({ name: 'release', arguments: {} })
          },
        },
      )
      expect(answerOf(told)).toBe('Once upon a time')
      expect(messages.slice(0, 2)).toEqual(['Once ', 'upon '])
      const asked = { tool: 'note_add', args: { text: 'mine' } }
      expect(answerOf(await client.callTool({ name: 'ask_other', arguments: asked }))).toBe('1 notes')
      const failed = await client.callTool({ name: 'fail', arguments: { message: 'no title' } })
      expect(failed).toMatchObject({ isError: true, content: [{ type: 'text', text: 'no title' }] })
    } finally {
      await client.close()
    }
  },
  PATIENCE_MS,
)

test(
  'the command line calls it, and the doctor names what it may do with nobody acting',
  async () => {
    await using stage = await createStage({
      plugins: { 'tools.notes': entry({ grants: ['storage', 'tools', 'acme.hello.*'] }) },
    })
    expect(await stage.run(['call', 'note_add', '--text', 'mine'])).toMatchObject({ code: 0, stdout: '1 notes\n' })
    expect(await stage.run(['call', 'note_list'])).toMatchObject({ code: 0, stdout: 'mine\n' })
    const { code, stdout } = await stage.run(['doctor'])
    expect(stdout).toContain(
      'note: plugin "tools.notes" has permissions outside its calls, with nobody acting: acme.hello.*',
    )
    expect(code).toBe(0)
  },
  PATIENCE_MS,
)

test(
  'where QUIC does not load it does not start, and says why',
  async () => {
    await using stage = await createStage({ plugins: { 'tools.notes': entry() } })
    const { code, stdout } = await stage.start(['doctor'], { nodeArgs: WITHOUT_QUIC }).done
    expect(stdout).toContain("its protocol needs QUIC, which can't be used here: QUIC does not load on")
    expect(stdout).not.toContain('use TLS over TCP')
    expect(code).not.toBe(0)
  },
  PATIENCE_MS,
)
