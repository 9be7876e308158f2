/** Peers that send anything, for tests with property-based inputs. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemoryStream } from './memory-link.ts'

const MAX_GROWTH_BYTES = 8 * 1024 * 1024

/** What a peer does with one stream. */
export interface Script {
  readonly pieces: readonly Uint8Array[]
  readonly end: 'end' | 'reset' | 'nothing'
}

/** Whole frames, frames with a few bytes changed, and noise, cut anywhere. */
export function scripts(frames: readonly Uint8Array[]): fc.Arbitrary<readonly Script[]> {
  const whole = fc.constantFrom(...frames)
  const edit = fc.tuple(fc.nat({ max: 4_000 }), fc.nat({ max: 255 }))
  const spoilt = fc.tuple(whole, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([frame, edits]) => {
    const copy = Buffer.from(frame)
    // Seldom the head, whose lengths are tried out with the frames alone.
    for (const [at, value] of edits) copy[(4 + (at % (copy.length - 2))) % copy.length] = value
    return copy
  })
  const bytes = fc.oneof(
    { weight: 5, arbitrary: whole },
    { weight: 4, arbitrary: spoilt },
    fc.uint8Array({ maxLength: 40 }),
  )
  const script = fc.record({
    pieces: fc.tuple(fc.array(bytes, { maxLength: 4 }), fc.nat({ max: 300 })).map(([parts, at]) => {
      const all = Buffer.concat(parts)
      return [all.subarray(0, at), all.subarray(at)]
    }),
    end: fc.constantFrom<Script['end']>('end', 'end', 'reset', 'nothing'),
  })
  return fc.array(script, { minLength: 1, maxLength: 4 })
}

/** Does it all at once. */
export function play(stream: MemoryStream, { pieces, end }: Script): void {
  for (const piece of pieces) stream.give(piece)
  if (end === 'end') stream.giveEnd()
  if (end === 'reset') stream.giveReset()
}

/** What is alive on the heap. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Tries that many inputs, and that what they leave behind does not grow with their number. */
export async function tryMany<Input>(
  count: number,
  inputs: fc.Arbitrary<Input>,
  attempt: (input: Input) => Promise<void>,
): Promise<void> {
  const run = (numRuns: number): Promise<void> =>
    fc.assert(fc.asyncProperty(inputs, attempt), { numRuns, endOnFailure: true })
  await run(count / 5)
  const before = heapBytes()
  await run((count / 5) * 4)
  expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES)
}

/** Lets everything happen that is going to. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
