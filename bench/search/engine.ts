/** What the benchmark asks of anything that searches tools. */
import type { SetTool } from './tool-set.ts'

export interface Engine {
  readonly name: string
  /** More tools than this are not tried: the library takes gigabytes or minutes for them. */
  readonly mostTools?: number
  /** Takes the tools in the form that it is given them in. What it gives back reads them, which is what is measured. */
  take(tools: readonly SetTool[]): () => Searcher | Promise<Searcher>
}

export interface Searcher {
  /** The ids of the best matches, best first, at most `limit`. */
  search(query: string, limit: number): readonly string[] | Promise<readonly string[]>
  /** Whether it would say that something matches well; absent where it says no such thing. */
  readonly fitsWell?: (query: string) => boolean
  /** Bytes that it holds outside of the JavaScript heap. */
  readonly bytesElsewhere?: number
}

export async function searcherOf(engine: Engine, tools: readonly SetTool[]): Promise<Searcher> {
  return engine.take(tools)()
}
