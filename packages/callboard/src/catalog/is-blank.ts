/** Tells whether there is anything in a text by which a tool could be found. */

/**
 * Anything but white space, controls, invisible marks, half surrogate pairs and the sign for bytes that are no text.
 */
const SIGN = /[^\s\p{Cc}\p{Cf}\p{Cs}\ufffd]/u

export function isBlank(text: string): boolean {
  return !SIGN.test(text)
}
