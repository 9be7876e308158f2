/** Compact Markdown from text that others wrote: one-line cells, cut at a whole character, and fences that hold. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text on one line: every run of white space and control characters is one space. */
function fold(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** No honest character is longer; without a bound one letter with ten thousand accents would pass as short. */
const MAX_UNITS_PER_CHARACTER = 16
/** How much white space, by the length of the longest honest text, is folded before the rest is left unread. */
const SPACES_READ = 4

/**
 * The text on one line and at most `max` characters as a reader counts them (grapheme clusters); when it was cut, the
 * last is `…`.
 */
export function cutText(text: string, max: number): string {
  const enough = max * MAX_UNITS_PER_CHARACTER * SPACES_READ
  // To fold a description of a megabyte for the sake of its first words would hold up every search.
  const line = fold(text.slice(0, enough)).replace(/[\uD800-\uDBFF]$/, '')
  const isRest = text.length > enough && /\S/.test(text.slice(enough))
  if (line.length <= max && !isRest) return line
  let count = 0
  let end = 0
  for (const { segment } of graphemes.segment(line)) {
    count += 1
    if (count > max || end + segment.length > max * MAX_UNITS_PER_CHARACTER) return `${line.slice(0, end).trimEnd()}…`
    if (count < max) end += segment.length
  }
  return isRest ? `${line.slice(0, end).trimEnd()}…` : line
}

/** A text as code within a line: what would break the line or steer a terminal is escaped, and no backtick ends it. */
export function inlineCode(text: string): string {
  const line = text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (!line.includes('`')) return `\`${line}\``
  const fence = '`'.repeat(longestRun(line) + 1)
  return `${fence} ${line} ${fence}`
}

function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
}

function cell(text: string): string {
  return fold(text).replace(/[\\|]/g, '\\$&')
}

/** A table; cells are folded to one line and escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** A block of code; its fence is longer than any run of backticks inside. */
export function codeBlock(language: string, code: string): string {
  const fence = '`'.repeat(Math.max(longestRun(code), 2) + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
