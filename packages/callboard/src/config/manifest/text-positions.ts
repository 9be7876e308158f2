/** Lines and columns for the offsets of a text. */

export interface TextPosition {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
}

/** Gives the position of an offset, in time logarithmic in the number of lines; past the end it is the end. */
export function textPositions(text: string): (offset: number) => TextPosition {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: Math.max(0, Math.min(offset, text.length) - (starts[low] ?? 0)) + 1 }
  }
}
