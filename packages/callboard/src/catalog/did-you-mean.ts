/** What ends the error about a tool that is not there: the names of tools that may be meant. */
import type { Surface } from '@callboard/sdk'
import type { CatalogView } from './catalog-view.ts'
import { listedName } from './listed-name.ts'

const SUGGESTIONS = 3

/** Who asked for a tool that is not there. */
interface Asker {
  /** Defaults to `mcp`. */
  readonly surface?: Surface
  readonly signal?: AbortSignal
}

/**
 * `; did you mean "a" or "b"?`, of the tools of the view, by the names that the surface lists; empty where none is
 * close.
 * @throws the reason of `signal` when that is aborted
 */
export async function didYouMean(view: CatalogView, name: string, asker: Asker = {}): Promise<string> {
  const { surface = 'mcp', signal } = asker
  await view.prepare('suggest', signal)
  const near = view.suggest(name, SUGGESTIONS).map((publicName) => {
    const tool = view.resolve(publicName)
    return JSON.stringify(tool === undefined ? publicName : listedName(tool.entry, surface))
  })
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}
