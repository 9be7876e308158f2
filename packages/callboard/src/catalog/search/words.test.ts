import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

test.each([
  ['read_file-now.please/ok', ['read', 'file', 'now', 'please', 'ok']],
  ['createIssueComment', ['create', 'issue', 'comment', 'createissuecomment']],
  ['HTTPServer', ['http', 'server', 'httpserver']],
  ['GitHub', ['git', 'hub', 'github']],
  ['oauth2', ['oauth', '2', 'oauth2']],
  ['base64Encode', ['base', '64', 'encode', 'base64encode']],
  ['aB1cD2eF', ['a', 'b', '1', 'c', 'd', '2', 'e', 'f']],
  ["don't (really)!", ['don', 't', 'really']],
  ['', []],
  ['.*+?^$(){}|[]\\', []],
])('"%s" is taken apart', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('accents are dropped, and one form of a letter is as good as another', () => {
  expect(wordsOf('Café Ångström')).toEqual(['cafe', 'angstrom'])
  expect(wordsOf('cafe\u0301')).toEqual(wordsOf('caf\u00e9'))
})

test('text without spaces is given in pairs of characters', () => {
  expect(wordsOf('搜索关键词')).toEqual(['搜索', '索关', '关键', '键词'])
  expect(wordsOf('用bing搜索')).toEqual(['用', 'bing', '搜索'])
})

test('scripts without spaces that are not Chinese, Japanese or Korean are given by their word breaks', () => {
  expect(wordsOf('ค้นหาไฟล์')).toEqual(['ค้นหา', 'ไฟล์'])
  expect(wordsOf('ค้นหาPDFไฟล์')).toEqual(expect.arrayContaining(['ค้นหา', 'pdf', 'ไฟล์']))
})

test('marks that are no accents belong to their words', () => {
  expect(wordsOf('फ़ाइल खोजें')).toHaveLength(2)
  expect(wordsOf('हिन्दी')).not.toEqual(wordsOf('हनद'))
})

test('other scripts give words', () => {
  expect(wordsOf('Удалить ветку')).toEqual(['удалить', 'ветку'])
  expect(wordsOf('파일 검색')).toEqual(['파일', '검색'])
  expect(wordsOf('קובץ אחד')).toEqual(['קובץ', 'אחד'])
})

test('long words are cut', () => {
  expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(40)])
})

test('any text gives words without separators and without capitals', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word).not.toMatch(/[\s_\-./]|^$/)
        expect(word).not.toMatch(/[A-Z]/)
      }
    }),
  )
})

test('ASCII is taken apart as by patterns', () => {
  const part = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
  const cut = (word: string): string => word.slice(0, 40).toLowerCase()
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'B', 'C', 'd', '1', '2', '_', ' '), maxLength: 60 }), (text) => {
      const expected = (text.match(/[a-zA-Z0-9]+/g) ?? []).flatMap((run) => {
        const parts = run.match(part) ?? []
        return [...parts, ...(parts.length > 1 && parts.length <= 4 ? [run] : [])].map(cut)
      })
      expect(wordsOf(text)).toEqual(expected)
      expect(wordsOf(`${text} é`)).toEqual([...expected, 'e'])
    }),
    { numRuns: 500 },
  )
})
