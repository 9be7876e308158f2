/** Collects what is odd about a list and folds what is said often into one sentence with a count and some examples. */

const EXAMPLES = 3
/** A list can be odd in no end of ways. */
const MAX_KINDS = 50
const FURTHER = 'further'

/** The sentence for one, and that for several, without their examples. */
export interface ReportWords {
  readonly one: string
  readonly many: (count: number) => string
}

export class FoldedReports {
  readonly #kinds = new Map<string, { count: number; readonly words: ReportWords; readonly examples: string[] }>()

  /** `kind` tells which reports are folded; `example` stands for this one. */
  add(kind: string, example: string, words: ReportWords): void {
    if (this.#kinds.size >= MAX_KINDS && !this.#kinds.has(kind) && kind !== FURTHER)
      return this.add(FURTHER, example, { ...words, many: (count) => `${count} further tools are mended or left out` })
    const known = this.#kinds.get(kind) ?? { count: 0, words, examples: [] }
    known.count += 1
    if (known.examples.length < EXAMPLES) known.examples.push(example)
    this.#kinds.set(kind, known)
  }

  /** One sentence for each kind, in the order in which they came up. */
  get sentences(): readonly string[] {
    return [...this.#kinds.values()].map(({ count, words, examples }) => {
      if (count === 1) return words.one
      const more = count > examples.length ? ', …' : ''
      return `${words.many(count)} (${examples.join(', ')}${more})`
    })
  }
}
