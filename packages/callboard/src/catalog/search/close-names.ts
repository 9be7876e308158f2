/** Finds names that look like one that is not there. */
import { distance } from 'fastest-levenshtein'
import type { SortedList } from '../sorted-list.ts'
import { bitCount } from './bit-count.ts'
import { grown, integers } from './grown.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { stemOf } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** What is read of what was typed, and of a name. */
const MOST_CHARACTERS = 96
/**
 * Names that are compared letter by letter, of those that have the most pairs of letters in common with what was typed.
 */
const MOST_COMPARED = 128
/** Names less like it than this are not worth a word. */
const LEAST_LIKENESS = 0.5
/** The same words in another order are a little less than the same letters. */
const SAME_WORDS = 0.95

/** 32-bit numbers in a signature, one bit for each pair of neighbouring letters (by a hash). */
const LANES = 4

/** The signatures of tools by slot, each of all three names together. */
export class CloseNames {
  #signatures = integers(0)

  /** Reads the names of the tool in a slot, where there may have been another. */
  set(slot: number, { entry }: SearchableTool): void {
    this.#signatures = grown(this.#signatures, (slot + 1) * LANES, integers)
    const signature = this.#signatures.subarray(slot * LANES, (slot + 1) * LANES).fill(0)
    for (const one of [entry.name, entry.declaredName, entry.namespacedName]) sign(letters(one), signature)
  }

  /** A rank up to 255, the higher the more pairs of letters the tool has of what was typed and the fewer others. */
  rank(slot: number, { signature: wanted, bits: wantedBits }: TypedLetters): number {
    let common = 0
    let all = 0
    for (let lane = 0; lane < LANES; lane++) {
      const signature = this.#signatures[slot * LANES + lane] ?? 0
      common += bitCount(signature & (wanted[lane] ?? 0))
      all += bitCount(signature)
    }
    return Math.round((common / wantedBits) * 200 + ((2 * common) / (all + wantedBits)) * 55)
  }
}

/** What was typed, in the forms in which names are compared with it. */
export interface TypedLetters {
  readonly letters: string
  readonly words: ReadonlySet<string>
  readonly signature: Uint32Array
  readonly bits: number
}

/** Nothing for what has no letter. */
export function typedLetters(typed: string): TypedLetters | undefined {
  const text = letters(typed)
  if (text === '') return undefined
  const signature = sign(text, new Uint32Array(LANES))
  const set = signature.reduce((sum, lane) => sum + bitCount(lane), 0)
  return { letters: text, words: stems(typed.slice(0, MOST_CHARACTERS)), signature, bits: set }
}

/**
 * Tools with a name like what was typed, the most alike first, ties by position.
 * @param ranks by position in `tools`: what `CloseNames.rank` gave, or 0 for what is not wanted
 */
export function closestNames(
  tools: SortedList<SearchableTool>,
  ranks: Uint8Array,
  typed: TypedLetters,
): readonly SearchableTool[] {
  return bestRanked(ranks)
    .map((position) => ({ position, likeness: likeness(tools.at(position), typed) }))
    .filter((found) => found.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || a.position - b.position)
    .flatMap(({ position }) => tools.at(position) ?? [])
}

function likeness(tool: SearchableTool | undefined, typed: TypedLetters): number {
  if (!tool) return 0
  const { name, declaredName, namespacedName } = tool.entry
  const inLetters = [name, declaredName, namespacedName].map((one) => alikeInLetters(letters(one), typed.letters))
  // The namespaced name has no words but those of the other two and of the plugin.
  return Math.max(...inLetters, alikeInWords(name, typed.words), alikeInWords(declaredName, typed.words))
}

/** The `MOST_COMPARED` positions of the highest ranks, ties by position; rank 0 is never among them. */
function bestRanked(ranks: Uint8Array): number[] {
  const sizes = new Uint32Array(256)
  for (const rank of ranks) sizes[rank] = (sizes[rank] ?? 0) + 1
  let least = 256
  let room = MOST_COMPARED
  while (least > 1 && room > 0) room -= sizes[--least] ?? 0
  // The last rank that was counted may have more than there is room for.
  let ofLeast = (sizes[least] ?? 0) + Math.min(0, room)
  const best: number[] = []
  for (let position = 0; position < ranks.length; position++) {
    const rank = ranks[position] ?? 0
    if (rank > least || (rank === least && ofLeast-- > 0)) best.push(position)
  }
  return best
}

/** What is compared of a name: its letters and digits, lower-case, so that separators and case cost nothing. */
function letters(name: string): string {
  return name
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .replace(/[\s_\-./:]+/g, '')
}

function stems(name: string): ReadonlySet<string> {
  return new Set(wordsOf(name).map(stemOf))
}

function alikeInLetters(name: string, text: string): number {
  const longer = Math.max(name.length, text.length)
  return longer === 0 ? 0 : 1 - distance(name, text) / longer
}

function alikeInWords(name: string, words: ReadonlySet<string>): number {
  const own = stems(name.slice(0, MOST_CHARACTERS))
  const common = [...own].filter((word) => words.has(word)).length
  return common === 0 ? 0 : (SAME_WORDS * 2 * common) / (own.size + words.size)
}

function sign(text: string, signature: Uint32Array): Uint32Array {
  for (let i = 0; i < text.length; i++) {
    const pair = Math.imul(text.charCodeAt(i) * 31 + (text.charCodeAt(i + 1) || 0), 0x9e3779b1) >>> 25
    signature[pair >>> 5] = (signature[pair >>> 5] ?? 0) | (1 << (pair & 31))
  }
  return signature
}
