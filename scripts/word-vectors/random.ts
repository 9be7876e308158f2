/** Numbers that look random and are the same each time. */

/** Gives whole numbers below 2^32. */
export type Random = () => number

export function randomNumbers(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state
  }
}

/** The list itself, in another order. */
export function shuffle<T>(list: T[], random: Random): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const other = random() % (i + 1)
    const [a, b] = [list[i], list[other]]
    if (a !== undefined && b !== undefined) [list[i], list[other]] = [b, a]
  }
  return list
}
