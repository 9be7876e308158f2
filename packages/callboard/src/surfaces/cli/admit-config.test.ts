import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locateConfig } from '../../config/locate-config.ts'
import { testFolder } from '../../config/testing/test-folder.ts'
import { type AdmitOptions, admitConfig } from './admit-config.ts'
import { createTerminal } from './output/terminal.ts'

/** A config in the working folder, and a person who answers. */
function scene(answer: string | undefined, text = '{ plugins: { a: { mcp: { command: ./run } } } }') {
  const folder = testFolder()
  const file = folder.write('callboard.yaml', text)
  const place = { cwd: folder.path, home: join(folder.path, 'home'), env: {} }
  let written = ''
  const stream = {
    isTTY: true,
    columns: 80,
    write: (piece: string) => {
      written += piece
    },
  }
  const { stderr } = createTerminal(
    { stdout: stream, stderr: stream, stdin: (async function* () {})() },
    { NO_COLOR: '1' },
  )
  const ask: AdmitOptions['ask'] = async (question) => {
    written += question
    return answer ?? ''
  }
  const admit = (named?: string) =>
    admitConfig({
      file: named,
      place,
      stderr,
      ask: answer === undefined ? undefined : ask,
      signal: new AbortController().signal,
    })
  return { folder, file, place, admit, written: () => written }
}

test.each(['y', 'Y', 'yes', ' yes '])('a person who answers %o trusts the config, until it changes', async (answer) => {
  const { folder, file, place, admit, written } = scene(answer)
  expect((await admit()).trust).toBe('trusted')
  expect(written()).toBe(
    `The config ${file} is not trusted yet. It\n  a  starts  ./run\nTrust it, until it changes? [y/N] `,
  )
  expect(locateConfig(undefined, place).trust).toBe('trusted')
  await admit()
  expect(written().match(/Trust it/g)).toHaveLength(1)
  folder.write('callboard.yaml', '{ plugins: { a: { mcp: { command: ./other } } } }')
  await admit()
  expect(written()).toContain('has changed since it was trusted. It\n  a  starts  ./other\n')
})

test.each(['', 'n', 'no', 'yep', 'maybe'])('a person who answers %o does not', async (answer) => {
  const { place, admit } = scene(answer)
  await expect(admit()).rejects.toMatchObject({ code: 'config', message: expect.stringContaining('callboard trust ') })
  expect(locateConfig(undefined, place).trust).toBe('never')
})

test('where nobody can be asked it is refused', async () => {
  const { admit } = scene(undefined)
  await expect(admit()).rejects.toMatchObject({ code: 'config' })
})

test.each([undefined, 'callboard.yaml'])(
  'all that is wrong is said of one whose envFile can not be read (named: %o)',
  async (named) => {
    const { file, admit } = scene('y', `envFile: gone.env\nuser: \${WHO}\nplugins: { a: { mcp: { comand: ./run } } }`)
    const thrown: unknown = await admit(named).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code: 'config' })
    const lines = String(thrown)
      .split('\n')
      .map((line) => line.slice(line.indexOf(file)))
    expect(lines).toEqual([
      expect.stringContaining(`${file}:1:10: envFile: `),
      expect.stringContaining(`${file}:2:7: user: the variable WHO is not set`),
      expect.stringContaining(`${file}:3:24: plugins.a.mcp.comand: unknown key`),
    ])
  },
)

test('one that is named and not there is said to be named so', async () => {
  await expect(scene('y').admit('gone.yaml')).rejects.toThrow('gone.yaml, which --config names; correct the path')
})

test('one that is named is not asked about', async () => {
  const { admit, written } = scene('n')
  expect((await admit('callboard.yaml')).trust).toBe('needless')
  expect(written()).toBe('')
})

test('what the config says can not write on the terminal but as text, nor push the rest off it', async () => {
  const { admit, written } = scene(
    'n',
    JSON.stringify({
      plugins: { 'a\u001b[2J': { mcp: { command: 'good\u001b[8m', args: ['\n\u0007evil', 'x'.repeat(5000)] } } },
    }),
  )
  await expect(admit()).rejects.toMatchObject({ code: 'config' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
  expect(written()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(written()).toContain('characters more)')
  expect(written().split('\n')).toHaveLength(3)
})
