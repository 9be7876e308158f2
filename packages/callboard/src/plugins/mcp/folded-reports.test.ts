import { expect, test } from 'vitest'
import { FoldedReports } from './folded-reports.ts'

test('one stays a sentence of its own, and there is an end to the kinds', () => {
  const reports = new FoldedReports()
  for (let kind = 0; kind < 1_000; kind++)
    reports.add(`kind ${kind}`, `t${kind}`, { one: `t${kind} is odd`, many: (count) => `${count} are odd` })
  expect(reports.sentences).toHaveLength(51)
  expect(reports.sentences[0]).toBe('t0 is odd')
  expect(reports.sentences.at(-1)).toBe('950 further tools are mended or left out (t50, t51, t52, …)')
})
