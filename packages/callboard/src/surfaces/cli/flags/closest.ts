/** Finds the name that a mistyped one was most likely meant to be. */

/** How many letters must be changed, added or taken away to make one word the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries())
      next.push(
        Math.min(
          (row[column] ?? 0) + (letter === otherLetter ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** The name nearest to `wanted`; undefined when none is near, that is within a third of its length. */
export function closest(wanted: string, names: readonly string[]): string | undefined {
  const within = Math.max(1, Math.floor(wanted.length / 3))
  const [best] = names
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= within || (wanted.length > 1 && name.startsWith(wanted)))
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}
