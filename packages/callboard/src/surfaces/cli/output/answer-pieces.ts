/** Writes the answer of a streaming tool piece by piece, as it comes. */
import type { Progress, ToolResult } from '../../../plugins/plugin.ts'
import { printable } from '../../../printable.ts'
import type { Output } from './terminal.ts'

export interface AnswerPieces {
  /** Writes what is a piece; passes everything else on. */
  readonly onProgress: (progress: Progress) => void
  /** Ends the line, and answers with what of the result was not written yet. */
  readonly rest: (result: ToolResult) => ToolResult
  /** Ends the line, where there will be no result. */
  readonly breakOff: () => void
}

/** @param onOther takes the progress that is no piece */
export function createAnswerPieces(
  output: Output,
  redact: (text: string) => string,
  onOther: ((progress: Progress) => void) | undefined,
): AnswerPieces {
  let written = ''
  const endLine = (): void => {
    if (written !== '' && !written.endsWith('\n')) output.write('\n')
  }
  return {
    onProgress: (progress) => {
      if (progress.isPiece !== true) return onOther?.(progress)
      const text = progress.message ?? ''
      written += text
      output.write(output.isTerminal ? printable(redact(text)) : redact(text))
    },
    rest: (result) => {
      endLine()
      const [first, ...others] = result.content
      return written !== '' && first?.text === written ? { ...result, content: others } : result
    },
    breakOff: endLine,
  }
}
