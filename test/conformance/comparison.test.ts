/** What `npm run conformance` makes of the verdicts of the suite. */
import { describe, expect, it } from 'vitest'
import { type Comparison, comparisonTable, shortfalls } from '../../scripts/conformance/comparison.ts'
import type { Verdict } from '../../scripts/conformance/referee.ts'

const good: Verdict = { passed: 2, failed: 0, warned: 0, complaints: [] }
const bad: Verdict = { passed: 1, failed: 1, warned: 0, complaints: ['failure check: it is wrong'] }
const doubtful: Verdict = { passed: 1, failed: 0, warned: 1, complaints: ['warning check: it is odd'] }
const empty: Verdict = { passed: 0, failed: 0, warned: 0, complaints: [] }

function comparison(scenario: string, directly: Verdict, through?: Verdict, across = through): Comparison {
  const verdicts = (verdict: Verdict | undefined) => new Map(verdict && [[scenario, verdict] as const])
  return { directly: verdicts(directly), through: verdicts(through), across: verdicts(across) }
}

describe('the shortfalls', () => {
  it('are none when all passes, and none out of scope', () => {
    expect(shortfalls(comparison('tools-list', good, good))).toEqual([])
    expect(shortfalls(comparison('prompts-list', good, bad))).toEqual([])
  })

  it.each([
    ['fails', bad],
    ['warns', doubtful],
    ['shows nothing', empty],
    ['was not run', undefined],
  ])('are told when a scenario in scope %s through Callboard', (_, through) => {
    expect(shortfalls(comparison('tools-list', good, through, good))).toEqual([
      expect.stringMatching(/^tools-list is worse through Callboard:/),
    ])
  })

  it('are told with the words of the suite', () => {
    expect(shortfalls(comparison('tools-list', good, bad, good))[0]).toContain('\n  failure check: it is wrong')
  })

  it('are told where only the other era fails, but for what cannot be done there', () => {
    expect(shortfalls(comparison('tools-list', good, good, bad))).toEqual([expect.stringContaining('other era')])
    expect(shortfalls(comparison('server-stateless', good, good, bad))).toEqual([])
  })

  it('are told where checks that pass directly are missing through Callboard, whatever behind it', () => {
    const fewer: Verdict = { ...good, passed: 1 }
    expect(shortfalls(comparison('tools-list', good, fewer))).toEqual([
      expect.stringMatching(/^tools-list has fewer checks: 1 of 2 through Callboard, /),
      expect.stringMatching(/^tools-list has fewer checks: 1 of 2 with the other era behind Callboard, /),
    ])
    expect(shortfalls(comparison('prompts-list', good, fewer))).toEqual([])
  })

  it('are not told of as many missing checks as there is a reason for', () => {
    const many: Verdict = { ...good, passed: 3 }
    expect(shortfalls(comparison('server-sse-polling', many, good))).toEqual([])
    expect(shortfalls(comparison('server-sse-polling', many, { ...good, passed: 1 }, many))).toHaveLength(1)
  })

  it('are told when the fixture itself falls short, so that the scope does not shrink unseen', () => {
    expect(shortfalls(comparison('tools-list', bad, bad))).toEqual([expect.stringContaining('the fixture itself')])
  })

  it('are told of scenarios that nobody has put out of scope', () => {
    expect(shortfalls(comparison('a-scenario-of-next-year', good, bad, good))).toHaveLength(1)
  })
})

it('the table shows the checks of each scenario and why one is out of scope', () => {
  expect(
    comparisonTable(comparison('prompts-list', good, bad, doubtful))
      .split('\n')
      .at(-1),
  ).toMatch(/^\| prompts-list +\| +✓ 2 \| +✗ 1 of 2 \| +! 1 of 2 \| +no: prompts are not relayed \|$/)
})

it('the table says where checks are missing, and why what is in scope is not held to all', () => {
  const lastRow = (of: Comparison): string | undefined => comparisonTable(of).split('\n').at(-1)
  const many: Verdict = { ...good, passed: 3 }
  expect(lastRow(comparison('tools-list', many, good, many))).toMatch(
    /^\| tools-list +\| +✓ 3 \| +✓ fewer checks: 2 of 3 \| +✓ 3 \| +yes \|$/,
  )
  expect(lastRow(comparison('server-sse-polling', many, many, good))).toMatch(
    /\| +✓ 3 \| +✓ fewer checks: 2 of 3 \| +yes; fewer checks: the stream to the client stays open .*\|$/,
  )
  expect(lastRow(comparison('server-stateless', good, good, bad))).toMatch(
    /\| +✗ 1 of 2 \| +yes; not with the other era: a server of the older era can not say .*\|$/,
  )
})
