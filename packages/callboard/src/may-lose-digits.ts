/** Tells at a glance, without reading it, whether a JSON text may hold a number that a double would write otherwise. */

/**
 * What stands before a number, but not before what looks like one in JSON that is itself a text, where names end with
 * `\"`.
 */
const BEFORE = String.raw`(?:[,[]|(?:[^\\]|\\\\)"[ \t\r\n]*:)[ \t\r\n]*-?`
/**
 * `-0`, a zero at the end of a fraction, or an exponent. What stands before is looked at last, and only where one of
 * these was found: searching for numbers would stop at every one of them.
 */
const ODD_NUMBER = new RegExp(
  String.raw`[-.\d]0[,\]} \t\r\n](?<=${BEFORE}(?:(?<=-)0|\d+\.\d*0).)|\d[eE][-+\d](?<=${BEFORE}[\d.]+..)`,
)
/** What is smaller is written with an exponent. */
const SMALL_NUMBER = /\.000000/
/** A double holds any number of fifteen digits. */
const LONG = 16
const LONG_NUMBER = new RegExp(String.raw`(?<=${BEFORE})[\d.]{${LONG}}`, 'y')

/**
 * False where every number within the object or list that the text writes comes back from `JSON.parse` and
 * `JSON.stringify` in the characters in which it stands there. Asks too often rather than too seldom: of any number
 * with many digits, and of some that stand in a text. Bytes of UTF-8 may be taken for Latin-1.
 */
export function mayLoseDigits(text: string): boolean {
  return hasLongNumber(text) || ODD_NUMBER.test(text) || SMALL_NUMBER.test(text)
}

/** Looks at every sixteenth character, which none can avoid. */
function hasLongNumber(text: string): boolean {
  const { length } = text
  for (let at = LONG - 1; at < length; at += LONG) {
    if (!isOfNumber(text.charCodeAt(at))) continue
    let from = at
    while (from > 0 && isOfNumber(text.charCodeAt(from - 1))) from--
    let to = at + 1
    while (to < length && isOfNumber(text.charCodeAt(to))) to++
    if (to - from < LONG) continue
    LONG_NUMBER.lastIndex = from
    if (LONG_NUMBER.test(text)) return true
    // Not once more for each part of a text that is nothing but digits.
    at += Math.floor((to - 1 - at) / LONG) * LONG
  }
  return false
}

/** A digit or a point. */
function isOfNumber(code: number): boolean {
  return code <= 0x39 && code >= 0x2e && code !== 0x2f
}
