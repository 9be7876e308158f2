/** Compact Markdown from text that others wrote: one-line cells, cut at a whole character, and fences that hold. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text on one line: every run of white space and control characters is one space. */
function fold(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** No honest character is longer; without a bound one letter with ten thousand accents would pass as short. */
const MAX_UNITS_PER_CHARACTER = 16

/** The text on one line and at most `max` characters as a reader counts them (grapheme clusters); when it was cut, the last is `…`. */
export function cutText(text: string, max: number): string {
  const line = fold(text)
  if (line.length <= max) return line
  let count = 0
  let end = 0
  for (const { segment } of graphemes.segment(line)) {
    count += 1
    if (count > max || end + segment.length > max * MAX_UNITS_PER_CHARACTER) return `${line.slice(0, end).trimEnd()}…`
    if (count < max) end += segment.length
  }
  return line
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
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
