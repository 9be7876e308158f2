import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findConfig } from './find-config.ts'
import { testFolder } from './testing/test-folder.ts'

test('the first of --config, $CALLBOARD_CONFIG, ./callboard.yaml and the home folder’s is found, never a parent’s', () => {
  const folder = testFolder()
  const cwd = join(folder.path, 'work/inner')
  const home = join(folder.path, 'home')
  const place = { cwd, home, env: {} }
  folder.write('work/callboard.yaml', '')
  folder.write('work/inner/x', '')
  expect(() => findConfig(place)).toThrow(/no config found; looked for .*inner.callboard\.yaml and .*--config FILE/)
  expect(() => findConfig({ ...place, env: { CALLBOARD_CONFIG: '' } })).toThrow('no config found')
  const ofHome = folder.write('home/.config/callboard/callboard.yaml', '')
  expect(findConfig(place)).toBe(ofHome)
  const ofFolder = folder.write('work/inner/callboard.yaml', '')
  expect(findConfig(place)).toBe(ofFolder)
  const ofEnv = folder.write('work/inner/env.yaml', '')
  expect(findConfig({ ...place, env: { CALLBOARD_CONFIG: 'env.yaml' } })).toBe(ofEnv)
  const explicit = folder.write('work/mcp.json', '')
  expect(findConfig({ ...place, env: { CALLBOARD_CONFIG: ofEnv }, explicit: '../mcp.json' })).toBe(explicit)
})

test('a named config that is not there is an error that says who named it', () => {
  const folder = testFolder()
  const place = { cwd: folder.path, home: folder.path, env: { CALLBOARD_CONFIG: 'gone.yaml' } }
  expect(() => findConfig(place)).toThrow('gone.yaml, which $CALLBOARD_CONFIG names; correct the path')
  expect(() => findConfig({ ...place, explicit: 'lost.yaml' })).toThrow('lost.yaml, which --config names')
  const found = { ...place, explicit: 'lost.yaml' }
  expect(() => findConfig({ ...found, namedBy: '$CALLBOARD_CONFIG' })).toThrow(
    'lost.yaml, which $CALLBOARD_CONFIG names',
  )
  expect(() => findConfig({ ...found, namedBy: 'nobody' })).toThrow('lost.yaml, which was found before; put it back')
})

test('a named config that is a folder is an error that says so', () => {
  const folder = testFolder()
  const place = { cwd: folder.path, home: folder.path, env: {}, explicit: '.' }
  expect(() => findConfig(place)).toThrow(', which --config names, is a folder; name the file in it')
})
