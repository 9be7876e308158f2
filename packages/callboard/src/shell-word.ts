/** Writes a text into a command that a person is told to paste. */

/** The text as one word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
