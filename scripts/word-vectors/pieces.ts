/** Takes text apart into the pieces of words that BERT models read (WordPiece, all lower-case, without accents). */
import { readFileSync } from 'node:fs'

/** Pieces of a text that are read, the two around it included. */
const MOST_PIECES = 48
const ACCENTS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+|\S/gu

/** @param file the pieces, one a line; their numbers are those of the lines */
export function pieceReader(file: string): (text: string) => readonly number[] {
  const numbers = new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((piece, i) => [piece, i]),
  )
  const special = (name: string): number => numbers.get(name) ?? 0
  const [first, last, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')]
  return (text) => {
    const words = text.toLowerCase().normalize('NFD').replace(ACCENTS, '').match(WORD) ?? []
    const pieces = words.slice(0, MOST_PIECES).flatMap((word) => piecesOf(word, numbers) ?? [unknown])
    return [first, ...pieces.slice(0, MOST_PIECES - 2), last]
  }
}

/** Always the longest piece that fits; nothing where none does. */
function piecesOf(word: string, numbers: ReadonlyMap<string, number>): number[] | undefined {
  const pieces: number[] = []
  let from = 0
  while (from < word.length) {
    let to = word.length
    const mark = from === 0 ? '' : '##'
    while (to > from && !numbers.has(mark + word.slice(from, to))) to--
    const piece = numbers.get(mark + word.slice(from, to))
    if (piece === undefined || to === from) return undefined
    pieces.push(piece)
    from = to
  }
  return pieces
}
