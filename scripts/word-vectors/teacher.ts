/** The teacher: a sentence model that says how close texts are in meaning, far too slow to search with. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pieceReader } from './pieces.ts'
import type { Sources } from './sources.ts'

/** Texts that are read together. */
const BATCH = 64
const TAUGHT_DIMENSIONS = 384

export interface Teacher {
  /** A vector of length 1 for each text. What was read once is kept in the cache. */
  read(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** What is used of onnxruntime-node, which is fetched only for this and so has no types here. */
interface Runtime {
  readonly InferenceSession: { create(model: string): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object
}
interface Session {
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>
}

export async function openTeacher({ model, vocabulary, runtime, cache }: Sources): Promise<Teacher> {
  const loaded: Runtime = createRequire(import.meta.url)(runtime)
  const session = await loaded.InferenceSession.create(model)
  const pieces = pieceReader(vocabulary)
  return {
    async read(texts) {
      const file = join(cache, `${createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)}.f32`)
      if (existsSync(file)) return rowsOf(new Float32Array(new Uint8Array(readFileSync(file)).buffer))
      const vectors = await readAll(texts.map(pieces), (batch) => readBatch(batch, session, loaded))
      writeFileSync(`${file}.part`, new Uint8Array(vectors.buffer))
      renameSync(`${file}.part`, file)
      return rowsOf(vectors)
    },
  }
}

function rowsOf(vectors: Float32Array): readonly Float32Array[] {
  const rows = vectors.length / TAUGHT_DIMENSIONS
  return Array.from({ length: rows }, (_, i) => vectors.subarray(i * TAUGHT_DIMENSIONS, (i + 1) * TAUGHT_DIMENSIONS))
}

type Pieces = readonly number[]

/** Texts of like lengths together, since a batch takes as long as its longest text. */
async function readAll(
  texts: readonly Pieces[],
  readBatch: (batch: readonly Pieces[]) => Promise<Float32Array>,
): Promise<Float32Array<ArrayBuffer>> {
  const vectors = new Float32Array(texts.length * TAUGHT_DIMENSIONS)
  const order = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
  for (let at = 0; at < order.length; at += BATCH) {
    const places = order.slice(at, at + BATCH)
    const read = await readBatch(places.map((place) => texts[place] ?? []))
    for (const [i, place] of places.entries()) {
      const vector = read.subarray(i * TAUGHT_DIMENSIONS, (i + 1) * TAUGHT_DIMENSIONS)
      const length = Math.hypot(...vector) || 1
      vectors.set(
        vector.map((value) => value / length),
        place * TAUGHT_DIMENSIONS,
      )
    }
    if (at % (BATCH * 50) === 0) console.log(`the teacher has read ${at} of ${order.length}`)
  }
  return vectors
}

/** The sums of what the model says of each piece. */
async function readBatch(batch: readonly Pieces[], session: Session, { Tensor }: Runtime): Promise<Float32Array> {
  const longest = Math.max(...batch.map(({ length }) => length))
  const input = (of: (piece: number) => number): object => {
    const data = new BigInt64Array(batch.length * longest)
    for (const [row, pieces] of batch.entries())
      for (const [i, piece] of pieces.entries()) data[row * longest + i] = BigInt(of(piece))
    return new Tensor('int64', data, [batch.length, longest])
  }
  const inputs = { input_ids: input((piece) => piece), attention_mask: input(() => 1), token_type_ids: input(() => 0) }
  const { last_hidden_state: output } = await session.run(inputs)
  const sums = new Float32Array(batch.length * TAUGHT_DIMENSIONS)
  for (const [row, { length }] of batch.entries()) {
    for (let i = 0; i < length * TAUGHT_DIMENSIONS; i++) {
      const at = row * TAUGHT_DIMENSIONS + (i % TAUGHT_DIMENSIONS)
      sums[at] = (sums[at] ?? 0) + (output?.data[row * longest * TAUGHT_DIMENSIONS + i] ?? 0)
    }
  }
  return sums
}
