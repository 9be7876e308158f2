import { expect, test } from 'vitest'
import { sampleRow } from '../store/testing/sample-row.ts'
import { AuditWriter } from './audit-writer.ts'

const ROW = sampleRow()

/** A writer, what it appended, and what it told of trouble; `failure` makes the next appends fail. */
function scene() {
  const appended: number[][] = []
  const told: (string | undefined)[] = []
  const state: { failure: Error | undefined; isForgiven: boolean } = { failure: undefined, isForgiven: false }
  const writer = new AuditWriter({
    store: {
      append: (rows) => {
        if (state.failure !== undefined) throw state.failure
        appended.push(rows.map(({ time }) => time))
      },
    },
    onTrouble: (reason) => told.push(reason),
    failureOf: (error) => (state.isForgiven ? undefined : new Error('not recorded', { cause: error })),
  })
  return { writer, appended, told, state, write: (time: number) => writer.write({ ...ROW, time }) }
}

/** Settles after this many steps of promises. */
async function later(steps: number): Promise<void> {
  for (let i = 0; i < steps; i += 1) await Promise.resolve()
}

test('what one turn of the event loop has to record is written together, in order', async () => {
  const { write, appended } = scene()
  await Promise.all([
    write(1),
    later(5).then(() => write(2)),
    later(50).then(() => write(3)),
    new Promise((resolve) => setImmediate(resolve)).then(() => write(4)),
  ])
  expect(appended).toEqual([[1, 2, 3], [4]])
})

test('a row is kept when its promise resolves, and not before it is written', async () => {
  const { write, appended } = scene()
  const kept = write(1)
  expect(appended).toEqual([])
  await kept
  expect(appended).toEqual([[1]])
})

test('what waits can be written at once', async () => {
  const { writer, write, appended } = scene()
  const kept = write(1)
  writer.flush()
  expect(appended).toEqual([[1]])
  await kept
  writer.flush()
  expect(appended).toHaveLength(1)
})

test('rows that can not be kept are rejected together, and the trouble is told when it begins and ends', async () => {
  const { writer, write, told, state, appended } = scene()
  await write(1)
  state.failure = new Error('disk full')
  const both = [write(2), write(3)]
  for (const kept of both) await expect(kept).rejects.toThrow('not recorded')
  await expect(write(4)).rejects.toMatchObject({ cause: state.failure })
  expect(told).toEqual(['disk full'])
  expect(writer.trouble).toBe('disk full')
  state.failure = undefined
  await write(5)
  expect(told).toEqual(['disk full', undefined])
  expect(writer.trouble).toBeUndefined()
  expect(appended).toEqual([[1], [5]])
})

test('rows that can not be kept and need not be are no failure, but a trouble all the same', async () => {
  const { write, told, state } = scene()
  state.failure = new Error('disk full')
  state.isForgiven = true
  await write(1)
  expect(told).toEqual(['disk full'])
})
