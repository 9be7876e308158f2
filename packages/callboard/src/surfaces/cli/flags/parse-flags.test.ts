import { describe, expect, test } from 'vitest'
import { failure, object, parse, SCHEMA } from '../testing/parse-words.ts'
import { parseFlags } from './parse-flags.ts'
import { toolFlags } from './tool-flags.ts'

describe('spellings', () => {
  test.each([
    ['--max_items', 'max_items'],
    ['--max-items', 'max_items'],
  ])('%s is the argument %s', (flag, name) => {
    expect(parse([flag, '1'])).toEqual({ [name]: 1 })
  })

  test.each([
    ['fileURL', '--file-url'],
    ['URLPath', '--url-path'],
    ['sha256Sum', '--sha256-sum'],
    ['_id', '--id'],
    ['with.dot', '--with.dot'],
  ])('the argument %s is shown as %s and answers to it', (name, flag) => {
    const flags = toolFlags(object({ [name]: { type: 'string' } }))
    expect(flags.all.map((one) => one.flag)).toEqual([flag])
    expect(parse([flag, 'x'], flags.root)).toEqual({ [name]: 'x' })
  })

  test('two arguments of one kebab-case spelling are reached by their exact names', () => {
    const schema = object({ dryRun: { type: 'boolean' }, dry_run: { type: 'boolean' } })
    expect(parse(['--dryRun', '--dry_run=false'], schema)).toEqual({ dryRun: true, dry_run: false })
    expect(failure(['--dry-run'], schema)).toBe('64 --dry-run could be any of --dryRun, --dry_run; write one of these')
  })

  test('an exact name wins over the kebab-case spelling of another', () => {
    const schema = object({ 'dry-run': { type: 'string' }, dryRun: { type: 'boolean' } })
    expect(parse(['--dry-run', 'x', '--dryRun'], schema)).toEqual({ 'dry-run': 'x', dryRun: true })
  })
})

describe('--arg and --args', () => {
  const schema = object({ json: { type: 'boolean' }, user: { type: 'string' }, logLevel: { type: 'integer' } })

  test('--arg reaches an argument whose name is an option of the command, by its type', () => {
    expect(parse(['--arg', 'json=true', '--arg', 'user=3', '--arg=logLevel=2'], schema)).toEqual({
      json: true,
      user: '3',
      logLevel: 2,
    })
    expect(toolFlags(schema).all.map((flag) => flag.flag)).toEqual(['--arg json=', '--arg user=', '--logLevel'])
  })

  test('--arg takes names with odd characters and names that the schema does not list', () => {
    const odd = object({ 'a b': { type: 'integer' }, '--x': { type: 'string' } })
    expect(parse(['--arg', 'a b=1', '--arg=--x=y=z', '--arg', 'new={"a":1}'], odd)).toEqual({
      'a b': 1,
      '--x': 'y=z',
      new: { a: 1 },
    })
  })

  test('a flag and --arg for one argument are one too many, unless it is a list', () => {
    expect(failure(['--message', 'a', '--arg', 'message=b'])).toContain('64 --message was given 2 times')
    expect(parse(['--tags', 'a', '--arg', 'tags=b'])).toEqual({ tags: ['a', 'b'] })
  })

  test.each([
    [['--arg', 'message'], '64 --arg needs NAME=VALUE'],
    [['--arg', '=x'], '64 --arg needs NAME=VALUE'],
    [['--arg'], '64 --arg needs NAME=VALUE'],
    [['--args'], '64 --args needs a JSON object'],
    [['--args', '{}', '--args', '{}'], '64 --args was given twice'],
  ])('%j is refused', (words, message) => {
    expect(failure(words)).toContain(message)
  })

  test('an argument named __proto__ is an argument like any other', () => {
    expect(Object.entries(parse(['--arg', '__proto__={"a":1}']))).toEqual([['__proto__', { a: 1 }]])
  })
})

describe('what is not understood', () => {
  test('an unknown flag is refused with the nearest and all there are', () => {
    expect(failure(['--mesage', 'hi'])).toBe(
      '64 no argument --mesage; did you mean --message? the tool takes --message, --count, --ratio, --dry-run, --tags, --sizes, --filter, --max-items, --anything, --level',
    )
    expect(failure(['--zzz'], object({}))).toBe('64 no argument --zzz; the tool takes no arguments')
  })

  test.each([[['hi']], [['--', '--message']], [['-m', 'hi']]])('%j is no flag', (words) => {
    expect(failure(words)).toContain('64 unexpected')
  })

  test('help is asked for by --help, and by -h where no value is awaited', () => {
    const asks = (words: readonly string[]) => parseFlags(words, toolFlags(SCHEMA)).help
    expect(asks(['--help'])).toBe(true)
    expect(asks(['-h'])).toBe(true)
    expect(asks(['--dry-run', '-h'])).toBe(true)
    expect(asks(['--message', '-h'])).toBe(false)
  })
})
