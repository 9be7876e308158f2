/** Takes text apart into the words that are searched. */

/** What is read of a text; no field that people or models read is as long. */
const LONGEST_TEXT = 50_000
/** Letters, digits and marks with nothing between them: what punctuation, spaces, `_`, `-`, `.` and `/` leave. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu
/** The accents of the scripts in which a word is the same without them. In others a mark is as good as a letter. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+/g
/** Chinese, Japanese and Korean, given in pairs of characters. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu
/** A part of a run: capitals, a capitalised or lower-case word, digits, or letters of a script without case. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{M}]+|\p{L}/gu
/** Scripts without case, some of which put no space between words. */
const CASELESS = /^[\p{Lo}\p{M}]+$/u
const ASCII = /^[\0-\x7f]*$/
/** A run of more parts than this is no compound that anyone would type as one word. */
const MOST_COMPOUND_PARTS = 4
/** What is read of a run. */
const LONGEST_RUN = 1000
/** Longer words (base64, hashes) are cut, so that no text can make the index large. */
const LONGEST_WORD = 40

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** Kinds of ASCII characters by code, and of all others. */
const SEPARATOR = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 4
const OTHER = 8
const ASCII_KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z]/.test(character) ? LOWER : /[A-Z]/.test(character) ? UPPER : /\d/.test(character) ? DIGIT : SEPARATOR
})

/** Is given a word as a part of a text, in which A to Z stand for a to z, and says whether it wants more. */
export type ReadWord = (text: string, from: number, to: number) => boolean

/**
 * The words of a text, lower-case and without accents, in order and with repetitions. Runs are split at camelCase and
 * between letters and digits; a run of few parts is given whole as well, so that "GitHub" and "github", "oauth2" and
 * "OAuth 2" meet. Chinese, Japanese and Korean are given in pairs of characters, other scripts without spaces by their
 * word breaks.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (part, from, to) => words.push(part.slice(from, to).toLowerCase()) > 0)
  return words
}

/** Gives `read` the words of a text, as `wordsOf` has them, until it says no. Of ASCII no string is made. */
export function eachWord(text: string, read: ReadWord): void {
  const end = Math.min(text.length, LONGEST_TEXT)
  for (let at = 0; at < end; at++) {
    const first = kindAt(text, at)
    if (first === SEPARATOR) continue
    const from = at
    let others = 0
    for (at++; at < end; at++) {
      const kind = kindAt(text, at)
      if (kind === SEPARATOR) break
      others |= kind
    }
    if (!readStretch(text, { from, to: at, first, others }, read)) return
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII_KINDS[code] ?? SEPARATOR) : OTHER
}

/** What stands between two ASCII separators, with the kind of its first character and all kinds of the others. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly first: number
  readonly others: number
}

function readStretch(text: string, { from, to, first, others }: Stretch, read: ReadWord): boolean {
  if ((first | others) < OTHER) {
    const isOnePart = others === 0 || others === first || (first === UPPER && others === LOWER)
    return isOnePart
      ? read(text, from, Math.min(to, from + LONGEST_WORD))
      : readAscii(text, from, Math.min(to, from + LONGEST_RUN), read)
  }
  for (const [run] of withoutAccents(text.slice(from, to)).matchAll(RUN)) {
    const goesOn = ASCII.test(run)
      ? readAscii(run, 0, Math.min(run.length, LONGEST_RUN), read)
      : wordsOfMixedRun(run).every((word) => read(word, 0, word.length))
    if (!goesOn) return false
  }
  return true
}

/** Reads a run of ASCII letters and digits, as `addRun` does by patterns. */
function readAscii(run: string, from: number, to: number, read: ReadWord): boolean {
  let parts = 0
  for (let at = from; at < to; parts++) {
    const end = endOfPart(run, at, to)
    if (!read(run, at, Math.min(end, at + LONGEST_WORD))) return false
    at = end
  }
  return parts === 1 || parts > MOST_COMPOUND_PARTS || read(run, from, Math.min(to, from + LONGEST_WORD))
}

function endOfPart(run: string, from: number, to: number): number {
  const kind = kindAt(run, from)
  const end = endOfKind(run, kind, from, to)
  if (kind !== UPPER || end === to || kindAt(run, end) !== LOWER) return end
  return end - from > 1 ? end - 1 : endOfKind(run, LOWER, end, to)
}

function endOfKind(run: string, kind: number, from: number, to: number): number {
  let end = from + 1
  while (end < to && kindAt(run, end) === kind) end++
  return end
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}

function wordsOfMixedRun(whole: string): string[] {
  const words: string[] = []
  const run = whole.slice(0, LONGEST_RUN)
  let from = 0
  for (const match of run.matchAll(PAIRED)) {
    if (match.index > from) addRun(run.slice(from, match.index), words)
    addPairs([...match[0]], words)
    from = match.index + match[0].length
  }
  if (from < run.length) addRun(run.slice(from), words)
  return words
}

function addRun(run: string, words: string[]): void {
  const parts = run.match(PART) ?? []
  for (const part of parts) addPart(part, words)
  if (parts.length > 1 && parts.length <= MOST_COMPOUND_PARTS) words.push(run.slice(0, LONGEST_WORD).toLowerCase())
}

function addPart(part: string, words: string[]): void {
  if (!CASELESS.test(part)) words.push(part.slice(0, LONGEST_WORD).toLowerCase())
  else for (const { segment } of segmenter.segment(part)) words.push(segment.slice(0, LONGEST_WORD))
}

function addPairs(characters: readonly string[], words: string[]): void {
  if (characters.length === 1) words.push(...characters)
  for (let i = 1; i < characters.length; i++) words.push(`${characters[i - 1]}${characters[i]}`)
}
