/** Foreign text as one line of a screen. */
import { printable } from '../../../printable.ts'

/** Nothing in it that would have to be taken out: most names, thousands of them a second in a busy host. */
const HARMLESS = /^[!-~]+$/

/** The text as one line, with single spaces. */
export function oneLine(text: string): string {
  if (HARMLESS.test(text)) return text
  return printable(text).replace(/\s+/g, ' ').trim()
}
