/** Orama as its documentation advises: its stemmer and stop words for English, properties boosted, any word enough. */
import { create, insertMultiple, search } from '@orama/orama'
import { stemmer } from '@orama/stemmers/english'
import { stopwords } from '@orama/stopwords/english'
import type { Engine } from '../engine.ts'
import { FIELD_BOOSTS, plainTool, plainWords } from '../plain-words.ts'

export const orama: Engine = {
  name: 'Orama',
  mostTools: 10_000,
  take: (tools) => async () => {
    const index = create({
      schema: { name: 'string', title: 'string', description: 'string', params: 'string', server: 'string' },
      components: { tokenizer: { language: 'english', stemming: true, stemmer, stopWords: stopwords } },
    })
    await insertMultiple(
      index,
      tools.map((tool) => ({ id: tool.id, ...plainTool(tool) })),
      1000,
    )
    return {
      async search(query, limit) {
        const { hits } = await search(index, { term: plainWords(query), limit, boost: FIELD_BOOSTS, threshold: 1 })
        return hits.map(({ id }) => id)
      },
    }
  },
}
