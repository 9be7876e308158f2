/** MiniSearch as its README advises: terms processed (stop words out, stemmed), fields boosted. */
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { STOP_WORDS } from '../../../packages/callboard/src/catalog/search/stop-words.ts'
import type { Engine } from '../engine.ts'
import { FIELD_BOOSTS, plainTool, plainWords } from '../plain-words.ts'

export const miniSearch: Engine = {
  name: 'MiniSearch',
  mostTools: 100_000,
  take: (tools) => () => {
    const index = new MiniSearch({
      fields: Object.keys(FIELD_BOOSTS),
      processTerm: (term) => {
        const word = term.toLowerCase()
        return STOP_WORDS.has(word) ? null : stemmer(word)
      },
      searchOptions: { boost: FIELD_BOOSTS },
    })
    index.addAll(tools.map((tool) => ({ id: tool.id, ...plainTool(tool) })))
    return {
      search: (query, limit) =>
        index
          .search(plainWords(query))
          .slice(0, limit)
          .map(({ id }): string => id),
    }
  },
}
