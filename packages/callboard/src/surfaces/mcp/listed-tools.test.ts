import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { type CatalogView, createCatalogView } from '../../catalog/catalog-view.ts'
import { CatalogSnapshot } from '../../catalog/snapshot.ts'
import { sampleTool } from '../../catalog/testing/sample-tool.ts'
import { BUILTIN_ID } from '../../plugins/builtin/builtin-tool.ts'
import { listedTools } from './listed-tools.ts'

const search = sampleTool({ name: 'search_mcp_tools', pluginId: BUILTIN_ID, description: 'Finds tools.' })
const view = (...tools: readonly CatalogTool[]): CatalogView =>
  createCatalogView(CatalogSnapshot.empty.with({ put: [search, ...tools] }))
const lab = (name: string, description = ''): CatalogTool =>
  sampleTool({ name: `lab_${name}`, pluginId: 'lab', declaredName: name, description })

describe('a page', () => {
  it('has what comes after a name, whether a tool of that name is there or not', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-d]{1,3}$/), { maxLength: 20 })
    fc.assert(
      fc.property(names, fc.stringMatching(/^[a-d]{0,3}$/), fc.integer({ min: 1, max: 6 }), (declared, after, size) => {
        const listed = listedTools(view(...declared.map((name) => lab(name))), { expose: 'all', only: 'lab' })
        const following = declared.filter((name) => name > after).sort()
        const page = listed.shown(listed.placeAfter(after), size)
        expect(page.map(({ name }) => name)).toEqual(following.slice(0, size))
        expect(listed.shown(0, 100).map(({ name }) => name)).toEqual(declared.toSorted())
        for (const name of ['a', 'dd', after])
          expect(listed.find(name)?.entry.declaredName === name).toBe(declared.includes(name))
      }),
    )
  })
})

describe('what is listed', () => {
  it('is worked out once for a view and the same options', () => {
    const one = view(lab('a'))
    expect(listedTools(one, { expose: ['x*'] })).toBe(listedTools(one, { expose: ['x*'] }))
    expect(listedTools(one, { expose: ['x*'] })).not.toBe(listedTools(one, { expose: ['y*'] }))
  })

  it('of everything is the list of the view itself', () => {
    const one = view(lab('a'))
    expect(listedTools(one, { expose: 'all' }).tools).toBe(one.tools)
  })

  it('is found by the name under which it is listed and by no other', () => {
    const one = view(lab('a'), lab('b'))
    expect(listedTools(one, { expose: ['*_a'] }).find('lab_a')).toBeDefined()
    for (const name of ['lab_b', 'a', 'plugin:lab:a', '', 'zzz'])
      expect(listedTools(one, { expose: ['*_a'] }).find(name)).toBeUndefined()
    expect(listedTools(one, { expose: 'catalog' }).find('lab_a')).toBeUndefined()
  })
})

describe('the search tool', () => {
  const plugins = (count: number): string[] => Array.from({ length: count }, (_, i) => `b${String(i).padStart(2, '0')}`)
  const said = (...ids: readonly string[]): unknown =>
    listedTools(view(...ids.map((pluginId) => sampleTool({ name: pluginId, pluginId }))), { expose: 'catalog' }).shown(
      0,
      1,
    )[0]?.description

  it('names the plugins behind it, the first forty of many, and not its own', () => {
    const named = (...ids: readonly string[]) => `Finds tools. Tools of these plugins are here: ${ids.join(', ')}`
    expect(said()).toBe('Finds tools.')
    expect(said('zoo', 'a')).toBe(`${named('a', 'zoo')}.`)
    expect(said(...plugins(40))).toBe(`${named(...plugins(40))}.`)
    expect(said(...plugins(42))).toBe(`${named(...plugins(40))} and 2 more.`)
    expect(said('d', ...plugins(40))).toBe(`${named(...plugins(40))} and 1 more.`)
  })
})

describe('two lists are alike', () => {
  const all = (one: CatalogView) => listedTools(one, { expose: 'all' })

  it('where every tool is shown the same, though it be another object', () => {
    expect(all(view(lab('a', 'x'))).isLike(all(view(lab('a', 'x'))))).toBe(true)
  })

  it('no longer when a tool is another, came or went', () => {
    const before = all(view(lab('a', 'x')))
    for (const tools of [[lab('a', 'y')], [lab('b', 'x')], [lab('a', 'x'), lab('b')], []])
      expect(before.isLike(all(view(...tools)))).toBe(false)
  })

  it('no longer when the search tool names other plugins', () => {
    const four = (one: CatalogView) => listedTools(one, { expose: 'catalog' })
    const other = sampleTool({ name: 'other_a', pluginId: 'other' })
    expect(four(view(lab('a'))).isLike(four(view(lab('a'), lab('b'))))).toBe(true)
    expect(four(view(lab('a'))).isLike(four(view(lab('a'), other)))).toBe(false)
  })
})
