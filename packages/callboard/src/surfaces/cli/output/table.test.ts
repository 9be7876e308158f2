import { expect, test } from 'vitest'
import { writeTable } from './table.ts'
import { createTerminal } from './terminal.ts'

function write(
  columns: number | undefined,
  env: Readonly<Record<string, string>>,
  ...table: Parameters<TableOf>
): string {
  let written = ''
  const stream = {
    isTTY: columns !== undefined,
    ...(columns !== undefined && { columns }),
    write: (text: string) => {
      written += text
    },
  }
  const stdin = (async function* () {})()
  writeTable(createTerminal({ stdout: stream, stderr: stream, stdin }, env).stdout, ...table)
  return written
}
type TableOf = (rows: readonly (readonly string[])[], options?: Parameters<typeof writeTable>[2]) => void

const NO_COLOR = { NO_COLOR: '1' }

test('wide characters and emoji take the columns that they take on the screen', () => {
  const rows = [
    ['名前', 'x'],
    ['👩‍👩‍👧', 'y'],
    ['abcd', 'z'],
  ]
  expect(write(40, NO_COLOR, rows)).toBe('名前  x\n👩‍👩‍👧    y\nabcd  z\n')
})

test('a text is cut between whole characters and ends in an ellipsis', () => {
  expect(write(15, NO_COLOR, [['a', '名前名前名前名前']], { cut: true })).toBe('a  名前名前名…\n')
  expect(write(15, NO_COLOR, [['a', '123456789012']], { cut: true })).toBe('a  123456789012\n')
  expect(write(15, NO_COLOR, [['a', '1234567890123']], { cut: true })).toBe('a  12345678901…\n')
})

test('without cutting a long text is whole', () => {
  expect(write(15, NO_COLOR, [['a', '1234567890123']])).toBe('a  1234567890123\n')
})

test('a terminal too narrow for the last column still shows a piece of it', () => {
  expect(write(10, NO_COLOR, [['a-long-first-column', 'description of it']], { cut: true })).toBe(
    'a-long-first-column  description…\n',
  )
})

test('in a pipe nothing is cut, and tabs and line feeds in a cell are spaces', () => {
  expect(write(undefined, {}, [['a', `b\tc\n${'d'.repeat(500)}`]], { heads: ['A', 'B'] })).toBe(
    `a\tb c ${'d'.repeat(500)}\n`,
  )
})

test('heads are bold on a terminal, but not with NO_COLOR or on a dumb one', () => {
  const table = [[['a', 'b']], { heads: ['A', 'B'] }] as const
  expect(write(40, {}, ...table)).toContain('\u001b[1mA  B\u001b[22m')
  expect(write(40, NO_COLOR, ...table)).toBe('A  B\na  b\n')
  expect(write(40, { TERM: 'dumb' }, ...table)).toBe('A  B\na  b\n')
})

test('an empty table writes nothing', () => {
  expect(write(40, NO_COLOR, [])).toBe('')
})
