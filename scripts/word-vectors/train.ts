/**
 * Trains the vectors: texts that are about the same come close together (among the many of a batch each is to find its own),
 * and texts are as close to one another as the teacher finds them. None of them is a query.
 */
import { addTo, product } from './arithmetic.ts'
import { Bags, type Table } from './bags.ts'
import type { Corpus } from './corpus.ts'
import { Descent } from './descent.ts'
import { type Random, randomNumbers, shuffle } from './random.ts'

const STEPS = 2500
const BATCH = 256
/** How far one step goes at first; it gets shorter until the last. */
const RATE = 0.002
const STEPS_TO_FULL_RATE = 50
/** The smaller, the more the closest texts count, and the less the others. */
const WIDTH = 0.05
const TAUGHT_WIDTH = 0.1
/** Of four steps so many are the teacher's. */
const TAUGHT_STEPS = 2
/** What moves vectors by less is passed over. */
const LEAST_SLOPE = 1e-6

/** Texts by the places of their words, and the teacher's unit vector of each. */
export interface Taught {
  readonly texts: readonly (readonly number[])[]
  readonly vectors: readonly Float32Array[]
}

/** Changes the vectors of the table. */
export function train(table: Table, pairs: Corpus['pairs'], taught: Taught): void {
  const random = randomNumbers(7)
  const nextPairs = batches(pairs.length, random)
  const nextTaught = batches(taught.texts.length, random)
  const descent = new Descent(table)
  let [findingLoss, taughtLoss] = [0, 0]
  for (let step = 0; step < STEPS; step++) {
    const gradients = new Map<number, Float32Array>()
    if ((random() >>> 16) % 4 < TAUGHT_STEPS) taughtLoss = learn(table, taught, nextTaught(), gradients)
    else
      findingLoss = find(
        table,
        nextPairs().flatMap((i) => [pairs[i] ?? [[], []]]),
        gradients,
      )
    const rate = RATE * Math.min(1, (step + 1) / STEPS_TO_FULL_RATE) * (1 - step / STEPS)
    descent.step(gradients, rate)
    if (step % 250 === 0) console.log(`step ${step}: ${findingLoss.toFixed(2)}, ${taughtLoss.toFixed(2)}`)
  }
}

/** Gives the places of so many things, batch by batch, in a new order each time round. */
function batches(count: number, random: Random): () => readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  let at = count
  return () => {
    if (at + BATCH > count) {
      shuffle(order, random)
      at = 0
    }
    at += BATCH
    return order.slice(at - BATCH, at)
  }
}

type Gradients = Map<number, Float32Array>

/** Each text is to be closest to its own partner, and the partner to it. Answers with the loss. */
function find(table: Table, pairs: Corpus['pairs'], gradients: Gradients): number {
  const ones = new Bags(
    table,
    pairs.map(([one]) => one),
  )
  const others = new Bags(
    table,
    pairs.map(([, other]) => other),
  )
  const there = shares(ones.units, others.units, WIDTH)
  const back = shares(others.units, ones.units, WIDTH)
  let loss = 0
  for (const [i, row] of there.entries()) {
    loss -= Math.log(row[i] ?? 1) / BATCH
    for (const [k, share] of row.entries()) {
      const slope = (share + (back[k]?.[i] ?? 0) - (i === k ? 2 : 0)) / (2 * WIDTH * BATCH)
      pull(ones, i, others, k, slope)
    }
  }
  ones.addToWords(gradients)
  others.addToWords(gradients)
  return loss
}

/** Of all that is close to a text each is to have the share that it has by the teacher. Answers with the loss. */
function learn(table: Table, taught: Taught, places: readonly number[], gradients: Gradients): number {
  const texts = new Bags(
    table,
    places.map((place) => taught.texts[place] ?? []),
  )
  const wanted = places.flatMap((place) => taught.vectors[place] ?? [])
  const goal = shares(wanted, wanted, TAUGHT_WIDTH, true)
  let loss = 0
  for (const [i, row] of shares(texts.units, texts.units, TAUGHT_WIDTH, true).entries()) {
    for (const [k, share] of row.entries()) {
      const right = goal[i]?.[k] ?? 0
      if (right > 0) loss += (right * Math.log(right / share)) / BATCH
      pull(texts, i, texts, k, (share - right) / (TAUGHT_WIDTH * BATCH))
    }
  }
  texts.addToWords(gradients)
  return loss
}

type Vectors = readonly Float32Array[]

/** By vector: the shares that the others have of all that is close to it. */
function shares(ones: Vectors, others: Vectors, width: number, butItself = false): readonly Float32Array[] {
  return ones.map((one, i) => {
    const row = Float32Array.from(others, (other, k) =>
      butItself && i === k ? 0 : Math.exp((product(one, other) - 1) / width),
    )
    const all = row.reduce((sum, value) => sum + value, 0)
    return row.map((value) => value / all)
  })
}

function pull(ones: Bags, i: number, others: Bags, k: number, slope: number): void {
  if (Math.abs(slope) < LEAST_SLOPE) return
  const [one, other] = [ones.gradients[i], others.gradients[k]]
  const [toOther, toOne] = [others.units[k], ones.units[i]]
  if (one && toOther) addTo(one, toOther, slope)
  if (other && toOne) addTo(other, toOne, slope)
}
