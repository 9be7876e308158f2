/**
 * Writes what a tool answered: as one JSON document, or texts as they are and everything else as JSON, one line each.
 */
import type { ToolResult } from '../../../plugins/plugin.ts'
import { printable } from '../../../printable.ts'
import { writeJson } from '../command-context.ts'
import type { Output, ResultForm, Terminal } from './terminal.ts'

/** A block of content as a person or a script can use it. */
function blockText(block: Readonly<Record<string, unknown>>): string {
  return block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block)
}

/** Without `json`, what the tool says of its failure goes to standard error. */
export function writeToolResult(terminal: Terminal, result: ToolResult, { json }: ResultForm): void {
  if (json) writeJson({ terminal }, result)
  else writeContent(result.isError ? terminal.stderr : terminal.stdout, result)
}

/**
 * Writes the content of a result; the structured content where there is no other. On a terminal control characters are
 * taken out; in a pipe the texts are byte for byte the tool's. A line feed is added only to a text that does not end in
 * one.
 */
function writeContent(output: Output, result: ToolResult): void {
  const texts = result.content.map(blockText)
  if (texts.length === 0 && result.structuredContent !== undefined) texts.push(JSON.stringify(result.structuredContent))
  for (const text of texts) {
    const shown = output.isTerminal ? printable(text) : text
    output.write(shown)
    // By itself, since a long text would be copied for it.
    if (!shown.endsWith('\n')) output.write('\n')
  }
}
