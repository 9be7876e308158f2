/** The vectors from which training starts: what the teacher says of single words, in the directions in which these differ most. */
import { addTo, product } from './arithmetic.ts'
import type { Corpus } from './corpus.ts'

/** A word that is in this part of the texts counts half of a rare one. */
const USUAL_SHARE = 0.01
const ROUNDS = 60
/** Every so many words are enough to find the directions. */
const STEP = 2
const NONE = new Float32Array()

/**
 * One after the other, those of rare words about 1 long.
 * @param taught the teacher's vector of each word
 */
export function firstVectors({ shares }: Corpus, taught: readonly Float32Array[], dimensions: number): Float32Array {
  const centred = withoutMean(taught)
  const directions = mainDirections(centred, dimensions)
  const vectors = new Float32Array(shares.length * dimensions)
  for (const [word, share] of shares.entries()) {
    const vector = Float32Array.from(directions, (direction) => product(direction, centred[word] ?? NONE))
    const factor = USUAL_SHARE / (USUAL_SHARE + share) / (Math.hypot(...vector) || 1)
    addTo(vectors.subarray(word * dimensions, (word + 1) * dimensions), vector, factor)
  }
  return vectors
}

function withoutMean(vectors: readonly Float32Array[]): readonly Float32Array[] {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) addTo(mean, vector, 1 / vectors.length)
  return vectors.map((vector) => vector.map((value, i) => value - (mean[i] ?? 0)))
}

/** The eigenvectors of the covariance with the largest values, by repeated multiplication. */
function mainDirections(centred: readonly Float32Array[], dimensions: number): readonly Float32Array[] {
  const covariance = covarianceOf(centred)
  let directions = covariance.slice(0, dimensions)
  for (let round = 0; round < ROUNDS; round++) {
    directions = directions.map((one) => Float32Array.from(covariance, (row) => product(row, one)))
    for (const [i, one] of directions.entries()) makeUpright(one, directions.slice(0, i))
  }
  return directions
}

function covarianceOf(centred: readonly Float32Array[]): readonly Float32Array[] {
  const size = centred[0]?.length ?? 0
  const rows = Array.from({ length: size }, () => new Float32Array(size))
  for (let at = 0; at < centred.length; at += STEP) {
    const vector = centred[at] ?? NONE
    for (const [i, row] of rows.entries()) addTo(row, vector, vector[i] ?? 0)
  }
  return rows
}

/** Leaves of a vector what is at right angles to the others, and makes its length 1. */
function makeUpright(vector: Float32Array, others: readonly Float32Array[]): void {
  for (const other of others) addTo(vector, other, -product(vector, other))
  const length = Math.hypot(...vector) || 1
  for (const [i, value] of vector.entries()) vector[i] = value / length
}
