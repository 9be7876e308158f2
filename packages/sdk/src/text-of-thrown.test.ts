import { expect, test } from 'vitest'
import { textOfThrown } from './text-of-thrown.ts'

const TOKEN = 'callboard_24f0bfaf_66789be522'

test('a long text is cut between words, so that no half of a secret is left in it', () => {
  const text = textOfThrown(new Error(`${'so it is '.repeat(220)}${TOKEN} and more of it`))
  expect(text).toBe(`${'so it is '.repeat(220)}…`)
})

test('a long text of one word is cut well before its end', () => {
  const text = textOfThrown(new Error(`${'m'.repeat(1_990)}${TOKEN}`))
  expect(text).toBe(`${'m'.repeat(1_000)}…`)
})

test('whatever is thrown has a text', () => {
  expect([new Error('no'), 'no', 7, undefined].map(textOfThrown)).toEqual(['no', 'no', '7', 'undefined'])
})
