import type { CatalogEntry } from '@callboard/sdk'
import { describe, expect, test } from 'vitest'
import { type AcceptTool, type CatalogView, createCatalogView } from './catalog-view.ts'
import { CatalogSnapshot } from './snapshot.ts'
import { sampleTool } from './testing/sample-tool.ts'

const tools = [
  sampleTool({
    name: 'files_read',
    pluginId: 'files',
    declaredName: 'read',
    description: 'Read a file',
    category: 'external',
  }),
  sampleTool({
    name: 'files_write',
    pluginId: 'files',
    declaredName: 'write',
    description: 'Write a file',
    category: 'external',
  }),
  sampleTool({ name: 'secret_files_wipe', pluginId: 'secret', declaredName: 'files_wipe', description: 'Wipe a file' }),
  sampleTool({
    name: 'echo',
    pluginId: 'tools.echo',
    description: 'Say it again',
    definition: { args: [{ name: 'text', type: 'string' }] },
  }),
]
const lostNames = new Map([['read_it', ['plugin:files:read', 'plugin:secret:files_wipe', 'plugin:gone:read_it']]])
const snapshot = CatalogSnapshot.empty.with({ put: tools, lostNames })

const names = (entries: readonly CatalogEntry[]): string[] => entries.map((entry) => entry.name)
const without =
  (pluginId: string): AcceptTool =>
  (tool) =>
    tool.entry.pluginId !== pluginId

describe('a view of everything', () => {
  const view = createCatalogView(snapshot)
  const all = ['echo', 'files_read', 'files_write', 'secret_files_wipe']

  test('lists by name, and all of it for a limit of 0 or less', () => {
    expect(names(view.listCatalog('', 0, 0))).toEqual(all)
    expect(names(view.listCatalog('', 0, -1))).toEqual(all)
    expect(names(view.listCatalog('', 0, Number.NaN))).toEqual(all)
  })

  test('pages, with a negative offset as 0 and nothing past the end', () => {
    expect(names(view.listCatalog('', 1, 2))).toEqual(['files_read', 'files_write'])
    expect(names(view.listCatalog('', 3, 2))).toEqual(['secret_files_wipe'])
    expect(names(view.listCatalog('', -5, 1))).toEqual(['echo'])
    expect(view.listCatalog('', 4, 2)).toEqual([])
    expect(view.listCatalog('', 1e9, 0)).toEqual([])
    expect(names(view.listCatalog('', 2, Number.MAX_SAFE_INTEGER))).toEqual(['files_write', 'secret_files_wipe'])
  })

  test('filters by the exact id of a plugin; an unknown one is empty', () => {
    expect(names(view.listCatalog('files', 1, 1))).toEqual(['files_write'])
    expect(view.catalogCount('files')).toBe(2)
    expect(view.catalogCount('')).toBe(4)
    for (const id of ['Files', 'file', 'files ', 'nobody', '__proto__']) {
      expect(view.listCatalog(id, 0, 0)).toEqual([])
      expect(view.catalogCount(id)).toBe(0)
    }
  })

  test('gives the schema of one entry only, by public or namespaced name', () => {
    const entry = view.getCatalogEntry('echo')
    expect(JSON.parse(entry?.schema ?? '')).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } })
    expect(view.getCatalogEntry('plugin:tools.echo:echo')).toEqual(entry)
    expect(view.getCatalogEntry('ECHO')).toBeUndefined()
    for (const found of [view.listCatalog('', 0, 0), view.searchCatalog(''), view.searchCatalog('file')]) {
      expect(found.length).toBeGreaterThan(0)
      for (const one of found) expect(one).not.toHaveProperty('schema')
    }
  })

  test('lists plugin ids sorted and once each', () => {
    expect(view.listPluginIds()).toEqual(['files', 'secret', 'tools.echo'])
  })

  test('shares the lists of the snapshot, and gives out none that a caller could change', () => {
    expect(view.tools).toBe(snapshot.tools)
    view.listCatalog('', 0, 0).pop()
    view.listPluginIds().pop()
    view.searchCatalog('').pop()
    expect(view.catalogCount('')).toBe(4)
    expect(view.listPluginIds()).toHaveLength(3)
  })

  test('a query of nothing, or of white space, matches everything by name', () => {
    for (const query of ['', ' ', '\n\t ']) expect(names(view.searchCatalog(query))).toEqual(all)
    expect(view.search(' ', { plugin: 'files', limit: 1 })).toMatchObject({
      total: 2,
      entries: [{ name: 'files_read' }],
    })
  })

  test('a page of a search is a part of the whole search, with the number of all matches', () => {
    const whole = names(view.searchCatalog('file'))
    expect(whole).toHaveLength(3)
    for (const [offset, limit] of [
      [0, 1],
      [1, 1],
      [1, 5],
      [3, 1],
      [-2, 2],
      [0, 0],
    ] as const) {
      const page = view.search('file', { offset, limit })
      const start = Math.max(0, offset)
      expect(names(page.entries)).toEqual(whole.slice(start, limit > 0 ? start + limit : undefined))
      expect(page.total).toBe(3)
    }
  })

  test('a search can be limited to a plugin and a category, and counts those only', () => {
    expect(view.search('file', { plugin: 'secret' })).toMatchObject({
      total: 1,
      entries: [{ name: 'secret_files_wipe' }],
    })
    expect(view.search('file', { plugin: '', category: 'external', limit: 1 }).total).toBe(2)
    expect(view.search('', { category: 'external' }).total).toBe(2)
    expect(view.search('file', { plugin: 'files', category: 'tool' })).toMatchObject({ total: 0, entries: [] })
    expect(view.search('file', { plugin: 'nobody' })).toMatchObject({ total: 0, entries: [] })
  })
})

describe('a view that does not accept a plugin', () => {
  const view: CatalogView = createCatalogView(snapshot, without('secret'))

  test('has its tools nowhere', () => {
    expect(Array.from(view.tools, ({ entry }) => entry.name)).toEqual(['echo', 'files_read', 'files_write'])
    expect(view.catalogCount('')).toBe(3)
    expect(view.catalogCount('secret')).toBe(0)
    expect(view.listCatalog('secret', 0, 0)).toEqual([])
    expect(view.listPluginIds()).toEqual(['files', 'tools.echo'])
    expect(view.resolve('secret_files_wipe')).toBeUndefined()
    expect(view.resolve('plugin:secret:files_wipe')).toBeUndefined()
    expect(view.getCatalogEntry('secret_files_wipe')).toBeUndefined()
    expect(view.suggest('secret_file_wipe', 10)).not.toContain('secret_files_wipe')
    for (const query of ['', 'file', 'secret_files_wipe', 'plugin:secret:files_wipe', 'wipe']) {
      expect(names(view.searchCatalog(query))).not.toContain('secret_files_wipe')
    }
    expect(view.search('file').total).toBe(2)
    expect(view.search('file', { plugin: 'secret' }).total).toBe(0)
  })

  test('has the others as they are', () => {
    expect(view.resolve('files_read')).toBe(snapshot.find('files_read'))
    expect(names(view.listCatalog('files', 0, 0))).toEqual(['files_read', 'files_write'])
  })

  test('asks once about each tool, and only when something is listed, counted or searched', () => {
    const asked: string[] = []
    const counting = createCatalogView(snapshot, ({ entry }) => asked.push(entry.name) > 0)
    counting.resolve('echo')
    expect(asked).toEqual(['echo'])
    asked.length = 0
    for (let i = 0; i < 3; i++) {
      counting.searchCatalog('file')
      counting.listCatalog('', 0, 0)
      counting.suggest('eco', 3)
      counting.listPluginIds()
    }
    expect(asked.sort()).toEqual(['echo', 'files_read', 'files_write', 'secret_files_wipe'])
  })
})

describe('a view of nothing', () => {
  const empty = createCatalogView(CatalogSnapshot.empty)

  test('answers everything with nothing', () => {
    expect(empty.listCatalog('', 0, 0)).toEqual([])
    expect(empty.catalogCount('')).toBe(0)
    expect(empty.searchCatalog('')).toEqual([])
    expect(empty.searchCatalog('file')).toEqual([])
    expect(empty.suggest('file', 5)).toEqual([])
    expect(empty.listPluginIds()).toEqual([])
    expect(empty.resolve('')).toBeUndefined()
  })
})

describe('suggestions', () => {
  test('begin with the new names of what a clash renamed, as far as the view has them', () => {
    expect(createCatalogView(snapshot).suggest('read_it', 5).slice(0, 2)).toEqual(['files_read', 'secret_files_wipe'])
    expect(createCatalogView(snapshot, without('secret')).suggest('read_it', 1)).toEqual(['files_read'])
    expect(createCatalogView(snapshot, without('secret')).suggest('read_it', 9)).not.toContain('secret_files_wipe')
  })

  test('name each tool once and keep to the limit', () => {
    const view = createCatalogView(snapshot)
    const all = view.suggest('read_it', 10)
    expect(new Set(all).size).toBe(all.length)
    expect(view.suggest('read_it', 1)).toEqual(all.slice(0, 1))
    expect(view.suggest('read_it', 0)).toEqual([])
    expect(view.suggest('read_it', -1)).toEqual([])
  })
})
