/** Patterns on names and permissions: `*` is any run of characters, dots and slashes too; nothing else is special. */

/**
 * Whether a text matches at least one of the patterns, as a function that has them prepared. A pattern is compared
 * with the whole text, and case counts. Without patterns nothing matches. Nothing backtracks, so a pattern of many
 * stars costs no more than its pieces looked for once each.
 */
export function patternMatcher(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(globMatcher)
  return (text) => exact.has(text) || globs.some((matches) => matches(text))
}

/** The earliest place for each piece between two stars is always a right one, because a star may take any run. */
function globMatcher(pattern: string): (text: string) => boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop() ?? ''
  const middle = rest.filter((piece) => piece !== '')
  return (text) => {
    if (!text.startsWith(head)) return false
    let from = head.length
    for (const piece of middle) {
      const at = text.indexOf(piece, from)
      if (at < 0) return false
      from = at + piece.length
    }
    return text.length - tail.length >= from && text.endsWith(tail)
  }
}
