/** Writes what a benchmark found into a page of the docs, and says on which machine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

const ROOT = new URL('../', import.meta.url)

/** The machine and the Node that a benchmark ran on, in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const node = `Node ${process.versions.node}, ${process.platform} ${process.arch}`
  return `${model}, ${availableParallelism()} cores, ${memory} GiB of memory; ${node}`
}

/** A Markdown table as the formatter writes it: the first column to the left, numbers to the right. Every row has as many cells as the head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const padded = [head, ...rows].map((cells) =>
    widths.map((width, column) => {
      const cell = cells[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    }),
  )
  return [padded[0] ?? [], rule, ...padded.slice(1)].map(line).join('\n')
}

/**
 * Replaces what stands between the page's markers of this name, `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.
 * @param page from the repository's root
 * @throws Error when the page has no such markers
 */
export function writeSection(name: string, markdown: string, page = 'docs/performance.md'): void {
  const file = new URL(page, ROOT)
  const text = readFileSync(file, 'utf8')
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const start = text.indexOf(open)
  const end = text.indexOf(close, start)
  if (start < 0 || end < 0)
    throw new Error(`${page} has no "${open}" … "${close}"; put the two lines where the figures belong`)
  writeFileSync(file, `${text.slice(0, start + open.length)}\n${markdown}\n${text.slice(end)}`)
}
