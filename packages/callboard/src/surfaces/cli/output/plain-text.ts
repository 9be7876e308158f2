/** Makes foreign text harmless on a screen: servers write descriptions and answers, and a terminal obeys what it is sent. */
import { stripVTControlCharacters } from 'node:util'

/** Control characters but line feed and tab, and the marks that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The text without escape sequences and control characters; line feeds and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(CONTROLS, '')
}

/** Nothing in it that would have to be taken out: most names, thousands of them a second in a busy host. */
const HARMLESS = /^[!-~]+$/

/** The text as one line, with single spaces. */
export function oneLine(text: string): string {
  if (HARMLESS.test(text)) return text
  return printable(text).replace(/\s+/g, ' ').trim()
}
