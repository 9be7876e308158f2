/** Words that say nothing about a tool. They count in names, which are short, and nowhere else. */

const WORDS = `
  a about after again all also am an and any are as at
  be because been before being below between both but by
  can could d did do does doing don down during
  each either else etc every
  few for from further
  had has have having he hello her here hers hi him his how however
  i if in into is it its itself
  just kindly
  let like ll
  m may me might more most must my myself
  need needed needs no nor not now
  of off on once one only or other our ours out over own
  per please
  re really
  s same shall she should so some such
  t than thank thanks that the their theirs them then there these they this those through to too
  under until up upon us use used uses using
  ve very via
  want wanted wants was we were what when where which while who whom whose why will with within without would
  you your yours yourself
`

/** In lower case, as `wordsOf` gives words; of a contraction both parts. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))

const DIGITS = /^\p{N}+$/u

/** Whether a word says something about a tool. A number says what to do something with, and nothing of what is done. */
export function isTelling(word: string): boolean {
  return !STOP_WORDS.has(word) && !DIGITS.test(word)
}
