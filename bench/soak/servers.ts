/** The twenty servers of the soak: what each is like, and how it is reached. */
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../../test/fixtures/fixture.ts'

interface Kind {
  readonly mood: 'steady' | 'crash' | 'hang' | 'freeze' | 'change'
  readonly era: 'legacy' | 'modern' | 'both'
  readonly over: 'stdio' | 'http'
}

const KINDS: readonly Kind[] = [
  { mood: 'steady', era: 'legacy', over: 'stdio' },
  { mood: 'steady', era: 'legacy', over: 'stdio' },
  { mood: 'steady', era: 'modern', over: 'stdio' },
  { mood: 'steady', era: 'both', over: 'stdio' },
  { mood: 'steady', era: 'legacy', over: 'http' },
  { mood: 'steady', era: 'modern', over: 'http' },
  { mood: 'crash', era: 'legacy', over: 'stdio' },
  { mood: 'crash', era: 'legacy', over: 'stdio' },
  { mood: 'crash', era: 'modern', over: 'stdio' },
  { mood: 'crash', era: 'both', over: 'stdio' },
  { mood: 'crash', era: 'both', over: 'stdio' },
  { mood: 'hang', era: 'legacy', over: 'stdio' },
  { mood: 'hang', era: 'modern', over: 'stdio' },
  { mood: 'hang', era: 'modern', over: 'http' },
  { mood: 'freeze', era: 'legacy', over: 'stdio' },
  { mood: 'freeze', era: 'modern', over: 'stdio' },
  { mood: 'change', era: 'legacy', over: 'stdio' },
  { mood: 'change', era: 'modern', over: 'stdio' },
  { mood: 'change', era: 'both', over: 'stdio' },
  { mood: 'change', era: 'modern', over: 'http' },
]

/** The servers, those over HTTP running already. */
export interface SoakServers extends AsyncDisposable {
  /** As the config has them. */
  readonly plugins: Readonly<Record<string, unknown>>
  /** The tools of all of them. */
  readonly tools: readonly string[]
  /** Those whose calls should neither fail nor wait for anything. */
  readonly steadyTools: readonly string[]
  /** How many run as processes of Callboard. */
  readonly processes: number
}

/** @param runsFile where each notes the calls that it ran */
export async function startSoakServers(runsFile: (id: string) => string): Promise<SoakServers> {
  const fixtures: HttpFixture[] = []
  const entries: [string, unknown][] = []
  for (const [nth, { mood, era, over }] of KINDS.entries()) {
    const id = idOf(nth)
    const args = ['--era', era, '--mood', mood, '--runs', runsFile(id)]
    if (over === 'stdio') entries.push([id, { mcp: fixtureCommand('soak-server', ...args) }])
    else {
      const fixture = await startHttpFixture('soak-server', args)
      fixtures.push(fixture)
      entries.push([id, { mcp: { url: fixture.url } }])
    }
  }
  const toolsOf = (wanted: (kind: Kind) => boolean): string[] =>
    KINDS.flatMap((kind, nth) => (wanted(kind) ? [`${idOf(nth)}_work`] : []))
  return {
    plugins: Object.fromEntries(entries),
    tools: toolsOf(() => true),
    steadyTools: toolsOf(({ mood }) => mood === 'steady'),
    processes: KINDS.filter(({ over }) => over === 'stdio').length,
    async [Symbol.asyncDispose]() {
      await Promise.all(fixtures.map((fixture) => fixture.stop()))
    },
  }
}

function idOf(nth: number): string {
  return `soak-${String(nth + 1).padStart(2, '0')}`
}
