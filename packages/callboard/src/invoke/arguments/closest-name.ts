/** The name that somebody may have meant. */

/** Longer names are compared by their beginnings; the work grows with the square. */
const MAX_LENGTH = 64

/** The one of `names` that is most like `name`, or undefined when none is less than about a third different. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name)
  let best: string | undefined
  let bestDistance = Math.floor(wanted.length / 3) + 1
  for (const candidate of names) {
    const distance = editDistance(wanted, plain(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Case and the signs between words make no difference. */
function plain(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_value, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let distance = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        distance = Math.min(distance, at(beforeLast, column - 2) + 1)
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
