/**
 * Makes foreign text harmless on a screen: servers write descriptions and answers, and a terminal obeys what it is
 * sent.
 */
import { stripVTControlCharacters } from 'node:util'

/** One of the control characters but line feed and tab, and the marks that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
export const CONTROL: RegExp = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const CONTROLS = new RegExp(CONTROL.source, 'g')

/** The text without escape sequences and control characters; line feeds and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(CONTROLS, '')
}
