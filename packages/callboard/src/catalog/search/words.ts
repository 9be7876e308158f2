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

/**
 * The words of a text, lower-case and without accents, in order and with repetitions. Runs are split at camelCase and between
 * letters and digits; a run of few parts is given whole as well, so that "GitHub" and "github", "oauth2" and "OAuth 2" meet.
 * Chinese, Japanese and Korean are given in pairs of characters, other scripts without spaces by their word breaks.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (word) => words.push(word) > 0)
  return words
}

/** Calls `visit` with the words of a text, as `wordsOf` gives them, until it says no. */
export function eachWord(whole: string, visit: (word: string) => boolean): void {
  const text = whole.length > LONGEST_TEXT ? whole.slice(0, LONGEST_TEXT) : whole
  if (!ASCII.test(text)) {
    for (const [run] of withoutAccents(text).matchAll(RUN)) {
      for (const word of ASCII.test(run) ? wordsOfRun(run) : wordsOfMixedRun(run)) if (!visit(word)) return
    }
    return
  }
  let from = -1
  for (let at = 0; at <= text.length; at++) {
    if (isAsciiLetterOrDigit(text.charCodeAt(at))) {
      if (from < 0) from = at
    } else if (from >= 0) {
      if (!visitRun(text.slice(from, at), visit)) return
      from = -1
    }
  }
}

/** Not a number (past the end of a text) is neither. */
function isAsciiLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** Most runs are plain words, of which nothing need be taken apart. */
function visitRun(run: string, visit: (word: string) => boolean): boolean {
  if (run.length <= LONGEST_WORD && isPlain(run)) return visit(run.charCodeAt(0) < 97 ? run.toLowerCase() : run)
  return wordsOfRun(run).every(visit)
}

/** Lower-case letters, of which the first may be a capital. */
function isPlain(run: string): boolean {
  for (let i = 1; i < run.length; i++) if (run.charCodeAt(i) < 97) return false
  return run.charCodeAt(0) >= 65
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}

function wordsOfRun(whole: string): string[] {
  const words: string[] = []
  addRun(whole.slice(0, LONGEST_RUN), words)
  return words
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
