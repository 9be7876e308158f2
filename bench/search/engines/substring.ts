/** The plain order of substrings: the exact name, names that contain the whole query, descriptions that contain it. */
import type { Engine } from '../engine.ts'

export const substring: Engine = {
  name: 'substring',
  take: (tools) => () => {
    const texts = tools.map(({ id, name, description }) => ({
      id,
      name: name.toLowerCase(),
      description: description.toLowerCase(),
    }))
    texts.sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      search(query, limit) {
        const wanted = query.trim().toLowerCase()
        const tiers: string[][] = [[], [], []]
        for (const { id, name, description } of texts) {
          const tier = name === wanted ? 0 : name.includes(wanted) ? 1 : description.includes(wanted) ? 2 : 3
          tiers[tier]?.push(id)
        }
        return tiers.flat().slice(0, limit)
      },
    }
  },
}
