/** Lays out rows for a reader: aligned on a terminal, tab-separated and whole in a pipe. */
import stringWidth from 'string-width'
import { oneLine } from './plain-text.ts'
import type { Output } from './terminal.ts'

const GAP = '  '
/** A last column narrower than this says nothing, so the line may run over instead. */
const MIN_LAST = 12

const graphemes = new Intl.Segmenter()

/** The text cut to a width, between whole characters as people see them. */
function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/** How a table is written besides its rows. */
export interface TableOptions {
  /** Heads of the columns, shown on a terminal only. */
  readonly heads?: readonly string[]
  /** What stands before each line on a terminal. */
  readonly indent?: string
  /** Cut the last column to the width of a terminal; else a long line runs over. */
  readonly cut?: boolean
}

/**
 * Writes rows of equal length. On a terminal the columns are aligned; elsewhere every row is one line of
 * cells between tabs, without heads, nothing cut.
 */
export function writeTable(output: Output, rows: readonly (readonly string[])[], options: TableOptions = {}): void {
  const cells = rows.map((row) => row.map(oneLine))
  if (!output.isTerminal) {
    for (const row of cells) output.write(`${row.join('\t')}\n`)
    return
  }
  const indent = options.indent ?? ''
  const all = options.heads ? [options.heads, ...cells] : cells
  const last = (all[0]?.length ?? 0) - 1
  const widths = Array.from({ length: last }, (_, column) =>
    all.reduce((widest, row) => Math.max(widest, stringWidth(row[column] ?? '')), 0),
  )
  const used = widths.reduce((sum, width) => sum + width + GAP.length, indent.length)
  const room = options.cut ? Math.max(MIN_LAST, output.width - used) : Infinity
  for (const row of all) {
    const aligned = row.map((cell, column) => (column === last ? fit(cell, room) : pad(cell, widths[column] ?? 0)))
    const line = indent + aligned.join(GAP).trimEnd()
    output.write(`${row === options.heads ? output.style('bold', line) : line}\n`)
  }
}
