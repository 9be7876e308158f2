import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Secrets } from '../secrets.ts'
import { loadConfig } from './load-config.ts'
import { type ConfigPlace, locateConfig, trustNow } from './locate-config.ts'
import { testFolder } from './testing/test-folder.ts'
import { TrustedConfigs } from './trusted-configs.ts'

const TEXT = 'plugins: { a: { mcp: { command: ./run.sh, args: [one, "two three"] } } }\n'

/** A working folder with a config in it, and a home folder. */
function scene(text = TEXT) {
  const folder = testFolder()
  const file = folder.write('work/callboard.yaml', text)
  const home = join(folder.path, 'home')
  const place = (env: ConfigPlace['env'] = {}, cwd = join(folder.path, 'work')) => ({ cwd, home, env })
  const load = (options: ConfigPlace, named?: string) => loadConfig({ ...options, file: named, secrets: new Secrets() })
  const trusted = new TrustedConfigs({}, home)
  const trust = () => trusted.add(file, locateConfig(file, place()).digest)
  return { folder, file, home, place, load, trust, trusted }
}

describe('a config that was only come across', () => {
  test('is not loaded until it is trusted, and the error has the line to type', () => {
    const { file, place, load, trust } = scene()
    expect(locateConfig(undefined, place()).trust).toBe('never')
    expect(() => load(place())).toThrow(
      `the config ${file} is not trusted yet, so nothing of it is run; look at it, then type: callboard trust ${file}`,
    )
    trust()
    expect(locateConfig(undefined, place()).trust).toBe('trusted')
    expect(load(place()).plugins).toHaveLength(1)
  })

  test('is not trusted any more when it changes', () => {
    const { folder, place, load, trust } = scene()
    trust()
    folder.write('work/callboard.yaml', `${TEXT}# more`)
    expect(locateConfig(undefined, place()).trust).toBe('changed')
    expect(() => load(place())).toThrow('has changed since it was trusted')
  })

  test('is not trusted any more when its envFile changes', () => {
    const { folder, place, trust } = scene(`envFile: .env\n${TEXT}`)
    folder.write('work/.env', 'A=1')
    trust()
    expect(locateConfig(undefined, place()).trust).toBe('trusted')
    folder.write('work/.env', 'A=2')
    expect(locateConfig(undefined, place()).trust).toBe('changed')
  })

  test('is another one at another path, and the same however one comes to its folder', () => {
    const { folder, place, trust } = scene()
    trust()
    folder.write('copy/callboard.yaml', TEXT)
    symlinkSync(join(folder.path, 'work'), join(folder.path, 'link'))
    expect(locateConfig(undefined, place({}, join(folder.path, 'copy'))).trust).toBe('never')
    expect(locateConfig(undefined, place({}, join(folder.path, 'link'))).trust).toBe('trusted')
  })

  test('is still one that was come across when it is read again by its path', () => {
    const { folder, file, place, trust } = scene()
    trust()
    const again = () => loadConfig({ ...place(), file, namedBy: 'nobody', secrets: new Secrets() })
    expect(again().file).toBe(file)
    folder.write('work/callboard.yaml', `${TEXT}# more`)
    expect(again).toThrow('has changed since it was trusted')
  })

  test('a path with other characters is quoted for a shell', () => {
    const { folder, place, load } = scene()
    folder.write("it's/callboard.yaml", TEXT)
    expect(() => load(place({}, join(folder.path, "it's")))).toThrow(/callboard trust '.*it'\\''s\/callboard\.yaml'$/)
  })
})

describe('no trust is needed', () => {
  test('by a config that --config or $CALLBOARD_CONFIG names', () => {
    const { file, place, load } = scene()
    expect(locateConfig('callboard.yaml', place()).trust).toBe('needless')
    expect(locateConfig(undefined, place({ CALLBOARD_CONFIG: file })).trust).toBe('needless')
    expect(load(place(), file).file).toBe(file)
    // Set and empty is not set.
    expect(locateConfig(undefined, place({ CALLBOARD_CONFIG: '' })).trust).toBe('never')
  })

  test('by one in the home config folder, from wherever, but for what is only linked into it', () => {
    const { folder, place } = scene()
    folder.write('home/.config/callboard/callboard.yaml', TEXT)
    folder.write('home/.config/callboard/inner/callboard.yaml', TEXT)
    folder.write('home/.config/callboard-evil/callboard.yaml', TEXT)
    mkdirSync(join(folder.path, 'elsewhere'))
    symlinkSync(join(folder.path, 'work'), join(folder.path, 'home/.config/callboard/linked'))
    const trustIn = (cwd: string) => locateConfig(undefined, place({}, join(folder.path, cwd))).trust
    expect(trustIn('elsewhere')).toBe('needless')
    expect(trustIn('home/.config/callboard')).toBe('needless')
    expect(trustIn('home/.config/callboard/inner')).toBe('needless')
    expect(trustIn('home/.config/callboard-evil')).toBe('never')
    expect(trustIn('home/.config/callboard/linked')).toBe('never')
  })
})

test('a variable that only a plugin needs may be missing: the data folder is found, and what it would run as it is written', () => {
  const { folder, place } = scene(`
dataDir: \${PLACE:-data}
plugins:
  a: { mcp: { command: '\${GONE}', args: [serve, --key, "\${KEY}"] } }
  b: { mcp: { url: 'https://b.example/mcp' } }
  c: ./folder
  d: { external: { command: ./d } }
  d2: { external: { address: 'd.example:4433' } }
  e: { ai: { provider: openai } }
  e2: { ai: [{ provider: openai }, { provider: ollama, baseUrl: 'http://x' }] }
  f: 3
  g: { mcp: [] }
mcpServers:
  h: { command: npx, args: ['a b', 7] }
  i: { serverUrl: 'https://i.example' }
`)
  const located = locateConfig(undefined, place({ PLACE: 'there' }))
  expect(located.dataDir).toBe(join(folder.path, 'work/there'))
  expect(located.runs).toEqual([
    { id: 'a', verb: 'starts', what: '${GONE} serve --key ${KEY}' },
    { id: 'b', verb: 'connects to', what: 'https://b.example/mcp' },
    { id: 'c', verb: 'loads', what: './folder' },
    { id: 'd', verb: 'starts', what: './d' },
    { id: 'd2', verb: 'connects to', what: 'd.example:4433' },
    { id: 'e', verb: 'connects to', what: 'openai' },
    { id: 'e2', verb: 'connects to', what: 'openai, http://x' },
    { id: 'f', verb: 'loads', what: '3' },
    { id: 'g', verb: 'has', what: 'nothing that can be read' },
    { id: 'h', verb: 'starts', what: 'npx "a b" 7' },
    { id: 'i', verb: 'connects to', what: 'https://i.example' },
  ])
})

describe('what is trusted', () => {
  test('lies in the data root, which only its owner can read', () => {
    const { folder, home, trust } = scene()
    trust()
    const root = join(home, '.local/share/callboard/trusted')
    const [name = ''] = readdirSync(root)
    expect(readdirSync(root)).toHaveLength(1)
    expect(statSync(root).mode & 0o777).toBe(0o700)
    expect(statSync(join(root, name)).mode & 0o777).toBe(0o600)
    const elsewhere = new TrustedConfigs({ XDG_DATA_HOME: join(folder.path, 'xdg') }, home)
    expect(elsewhere.all()).toEqual([])
  })

  test('can be listed and taken back, also when the config has gone', () => {
    const { file, place, trust, trusted } = scene()
    trust()
    expect(trusted.all()).toMatchObject([{ file }])
    expect(trusted.remove(file)).toBe(true)
    expect(trusted.remove(file)).toBe(false)
    expect(locateConfig(undefined, place()).trust).toBe('never')
    expect(trusted.remove('/gone/with/its/folder/callboard.yaml')).toBe(false)
  })

  test('is nothing where a record is damaged', () => {
    const { home, place, trust } = scene()
    trust()
    const root = join(home, '.local/share/callboard/trusted')
    for (const name of readdirSync(root)) writeFileSync(join(root, name), '{"file":3')
    expect(locateConfig(undefined, place()).trust).toBe('never')
  })

  test('is told apart from what has changed, gone or can not be read', () => {
    const { folder, file, place, trust } = scene()
    const record = trust()
    expect(trustNow(record, place())).toBe('trusted')
    expect(trustNow({ ...record, digest: 'x' }, place())).toBe('changed')
    expect(trustNow({ ...record, file: `${file}.gone` }, place())).toBe('gone')
    folder.write('work/callboard.yaml', '{')
    expect(trustNow(record, place())).toBe('unreadable')
  })

  test('can not be written down where the data root can not be', () => {
    const { folder, file, home } = scene()
    folder.write('file', '')
    const trusted = new TrustedConfigs({ XDG_DATA_HOME: join(folder.path, 'file') }, home)
    expect(() => trusted.add(file, 'x')).toThrow(/can't write down that .* is trusted: .*that you may write/)
  })
})
