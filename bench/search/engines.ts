/** Everything that is measured, Callboard first, then Callboard without vectors. */
import type { Engine } from './engine.ts'
import { callboard, callboardWithoutVectors } from './engines/callboard.ts'
import { fts5 } from './engines/fts5.ts'
import { miniSearch } from './engines/mini-search.ts'
import { orama } from './engines/orama.ts'
import { substring } from './engines/substring.ts'

export const ENGINES: readonly Engine[] = [callboard, callboardWithoutVectors, substring, miniSearch, fts5, orama]
/** Those that Callboard is to be better than. */
export const LIBRARIES: readonly Engine[] = [miniSearch, fts5, orama]
