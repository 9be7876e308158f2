/** Says which names there are, for errors that name what is not there. */

/** Of one, of several and of none, in the order in which they come. */
export function thereAre(names: readonly string[]): string {
  return names.length === 1 ? `there is ${names[0]}` : `there are ${names.join(', ') || 'none'}`
}
