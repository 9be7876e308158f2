/** Tells, without reading it, whether a JSON text holds a number that a double may write otherwise. */

/** A double holds any number of so many digits. */
const SAFE_DIGITS = 15
/** What is smaller has an exponent. */
const SMALL = '0.000000'

const QUOTE = 0x22
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const CAPITAL_E = 0x45
const BACKSLASH = 0x5c
const SMALL_E = 0x65

/**
 * False where every number comes back from `JSON.parse` and `JSON.stringify` in the characters in which it stands there.
 * True too often for numbers of many digits alone. Looks at nothing within texts, and takes a fraction of the time of
 * parsing; the characters may be bytes of UTF-8.
 */
export function mayLoseDigits(json: string): boolean {
  return nextDoubtful(json, 0) !== undefined
}

/** Where the next number begins that a double may write otherwise; `from` may not be within a text or a number. */
export function nextDoubtful(json: string, from: number): number | undefined {
  for (let at = from; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = behindText(json, at)
    else if (code > NINE || code < MINUS) at++
    else {
      const behind = behindNumber(json, at)
      if (behind === undefined) return at
      at = behind
    }
  }
  return undefined
}

function behindText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at
    while (json.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at + 1
  }
  return json.length
}

/** Undefined where a double may write the number otherwise. */
function behindNumber(json: string, from: number): number | undefined {
  let digits = 0
  let point = false
  let at = from
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code <= NINE && code >= ZERO) digits++
    else if (code === POINT) point = true
    else if (code === CAPITAL_E || code === SMALL_E) return undefined
    else if (at > from) break
  }
  if (digits > SAFE_DIGITS) return undefined
  const isNegative = json.charCodeAt(from) === MINUS
  const endsInZero = json.charCodeAt(at - 1) === ZERO
  if (
    point
      ? endsInZero || json.startsWith(SMALL, isNegative ? from + 1 : from)
      : endsInZero && isNegative && digits === 1
  )
    return undefined
  return at
}
