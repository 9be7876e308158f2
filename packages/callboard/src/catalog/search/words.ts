/** Takes text apart into the words that are searched. */

/** Letters and digits with nothing between them: what punctuation, spaces, `_`, `-`, `.` and `/` leave. */
const RUN = /[\p{L}\p{N}]+/gu
const ASCII_RUN = /[A-Za-z0-9]+/g
/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** A part of a run: capitals, a capitalised or lower-case word, digits, or letters of a script without case. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+|\p{L}/gu
const ASCII = /^[\0-\x7f]*$/
/** A run of more parts than this is no compound that anyone would type as one word. */
const MOST_COMPOUND_PARTS = 4
/** What is read of a run. */
const LONGEST_RUN = 1000
/** Longer words (base64, hashes) are cut, so that no text can make the index large. */
const LONGEST_WORD = 40

/**
 * The words of a text, lower-case and without accents, in order and with repetitions. Runs are split at camelCase and between
 * letters and digits; a run of few parts is given whole as well, so that "GitHub" and "github", "oauth2" and "OAuth 2" meet.
 * Text in scripts without spaces is given in pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const run of runsOf(text)) words.push(...wordsOfRun(run))
  return words
}

/** The runs of letters and digits of a text, without accents, one by one. Equal runs have equal words. */
export function* runsOf(text: string): Generator<string, void, undefined> {
  const ascii = ASCII.test(text)
  for (const [run] of ascii ? text.matchAll(ASCII_RUN) : withoutAccents(text).matchAll(RUN)) yield run
}

/** The words of one run. */
export function wordsOfRun(whole: string): string[] {
  const words: string[] = []
  const run = whole.slice(0, LONGEST_RUN)
  if (ASCII.test(run)) addRun(run, words)
  else addMixedRun(run, words)
  return words
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
}

function addRun(run: string, words: string[]): void {
  const parts = run.match(PART) ?? []
  for (const part of parts) words.push(part.slice(0, LONGEST_WORD).toLowerCase())
  if (parts.length > 1 && parts.length <= MOST_COMPOUND_PARTS) words.push(run.slice(0, LONGEST_WORD).toLowerCase())
}

function addMixedRun(run: string, words: string[]): void {
  let from = 0
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > from) addRun(run.slice(from, match.index), words)
    addPairs([...match[0]], words)
    from = match.index + match[0].length
  }
  if (from < run.length) addRun(run.slice(from), words)
}

function addPairs(characters: readonly string[], words: string[]): void {
  if (characters.length === 1) words.push(...characters)
  for (let i = 1; i < characters.length; i++) words.push(`${characters[i - 1]}${characters[i]}`)
}
