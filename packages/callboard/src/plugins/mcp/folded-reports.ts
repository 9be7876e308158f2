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
    const isFurther = this.#kinds.size >= MAX_KINDS && !this.#kinds.has(kind)
    const many = (count: number): string => `${count} further tools are mended or left out`
    const own = isFurther ? FURTHER : kind
    const known = this.#kinds.get(own) ?? { count: 0, words: isFurther ? { ...words, many } : words, examples: [] }
    known.count += 1
    if (known.examples.length < EXAMPLES) known.examples.push(example)
    this.#kinds.set(own, known)
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
