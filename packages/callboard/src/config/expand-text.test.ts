import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandText } from './expand-text.ts'
import { testFolder } from './testing/test-folder.ts'

const VARIABLES: Readonly<Record<string, string>> = { A: 'one', B: '${A}', EMPTY: '', DOLLARS: '$$ $& $1 ${C}' }

function expand(text: string): string {
  return expandText(
    text,
    ({ raw, name, fallback }) => VARIABLES[name] || (fallback ?? VARIABLES[name] ?? raw),
    () => {},
  )
}

describe('expansion', () => {
  test.each([
    ['${A}', 'one'],
    ['x${A}y${A}z', 'xoneyonez'],
    ['${B}', '${A}'],
    ['${DOLLARS}', '$$ $& $1 ${C}'],
    ['${GONE:-default}', 'default'],
    ['${GONE:-}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${EMPTY}', ''],
    ['${GONE:-a:-b}', 'a:-b'],
    ['${GONE:-$A}', '$A'],
    ['$${A}', '${A}'],
    ['$$${A}', '$${A}'],
    ['$A $ {A} $$ $', '$A $ {A} $$ $'],
    ['${env:A}', 'one'],
    ['${env:GONE:-x}', 'x'],
    ['${env:-x}', 'x'],
  ])('%s gives %s', (text, expected) => {
    expect(expand(text)).toBe(expected)
  })

  test('gives back exactly what any variable holds, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, around) => {
        const frame = around.replaceAll('$', '')
        const text = `${frame}\${X}${frame}`
        expect(
          expandText(
            text,
            () => value,
            () => {},
          ),
        ).toBe(`${frame}${value}${frame}`)
      }),
    )
  })
})

describe('variables of a config', () => {
  test('come from the environment first, then from the envFile, and never reach a server by themselves', () => {
    const folder = testFolder()
    folder.write('.env', '# comment\nA=file\nB="from file"\nC=${A}\n')
    const text = `
envFile: \${NAME}
plugins: { x: { mcp: { command: x, env: { A: '\${A}', B: '\${B}', C: '\${C}' } } } }
`
    const config = folder.load(text, { A: 'environment', NAME: '.env' })
    expect(config.plugins[0]).toMatchObject({ mcp: { env: { A: 'environment', B: 'from file', C: '${A}' } } })
    expect(folder.load('envFile: .env\nplugins: { x: { mcp: { command: x } } }').plugins[0]).toMatchObject({
      mcp: { env: {} },
    })
  })

  test('may be missing where a plugin is disabled', () => {
    const folder = testFolder()
    const config = folder.load(`plugins: { x: { enabled: false, mcp: { url: '\${GONE}' } } }`)
    expect(config.plugins).toMatchObject([{ enabled: false, mcp: { url: '${GONE}' } }])
  })
})
