/** The fourteen external plugins of the soak: what each is like, and over what it is reached. */
import { fixtureCommand } from '../../test/fixtures/fixture.ts'
import type { SoakServers } from './servers.ts'

const KINDS = (['quic', 'tls'] as const).flatMap((transport) => [
  { transport, mood: 'steady', isStreaming: false },
  { transport, mood: 'steady', isStreaming: true },
  { transport, mood: 'crash', isStreaming: false },
  { transport, mood: 'crash', isStreaming: true },
  { transport, mood: 'hang', isStreaming: false },
  { transport, mood: 'freeze', isStreaming: true },
  { transport, mood: 'change', isStreaming: false },
])

/** @param runsFile where each notes the calls that it ran */
export async function startSoakPlugins(runsFile: (id: string) => string): Promise<SoakServers> {
  const entries = KINDS.map(({ transport, mood, isStreaming }, nth): readonly [string, unknown] => {
    const id = idOf(nth)
    const words = ['--id', id, '--mood', mood, '--runs', runsFile(id), ...(isStreaming ? ['--streaming'] : [])]
    return [id, { external: { ...fixtureCommand('soak-plugin', ...words), transport }, prefix: `${id}_` }]
  })
  const toolsOf = (moods: readonly string[]): string[] =>
    KINDS.flatMap(({ mood }, nth) => (moods.includes(mood) ? [`${idOf(nth)}_work`] : []))
  return {
    plugins: Object.fromEntries(entries),
    tools: toolsOf(KINDS.map(({ mood }) => mood)),
    steadyTools: toolsOf(['steady']),
    processes: KINDS.length,
    async [Symbol.asyncDispose]() {},
  }
}

function idOf(nth: number): string {
  return `soak-${String(nth + 1).padStart(2, '0')}`
}
