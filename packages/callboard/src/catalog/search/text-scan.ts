/** Finds which of many texts contain a string, without regard to case, by scanning them laid end to end. */

/** Texts in one stretch: short enough that one text outside Latin-1 does not double the size of many others. */
const STRETCH = 512

interface Stretch {
  readonly first: number
  readonly text: string
  /** By text: where it ends, exclusive. */
  readonly ends: Uint32Array
}

export class TextScan {
  readonly #stretches: readonly Stretch[]

  constructor(texts: readonly string[]) {
    const stretches: Stretch[] = []
    for (let first = 0; first < texts.length; first += STRETCH) {
      const lower = texts.slice(first, first + STRETCH).map((text) => text.toLowerCase())
      let end = 0
      const ends = Uint32Array.from(lower, (text) => (end += text.length))
      stretches.push({ first, text: lower.join(''), ends })
    }
    this.#stretches = stretches
  }

  /** Calls `visit` with the position of each text that contains `needle`, which is lower-case and not empty, in ascending order. */
  forEachContaining(needle: string, visit: (position: number) => void): void {
    for (const { first, text, ends } of this.#stretches) {
      let position = 0
      for (let at = text.indexOf(needle); at >= 0; ) {
        while ((ends[position] ?? text.length) <= at) position++
        const end = ends[position] ?? text.length
        const inside = at + needle.length <= end
        if (inside) visit(first + position)
        at = text.indexOf(needle, inside ? end : at + 1)
      }
    }
  }
}
