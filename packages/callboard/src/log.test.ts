import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { Secrets } from './secrets.ts'

it('leaves lines out while nobody reads them, and says how many once somebody does', () => {
  const lines: string[] = []
  const destination = {
    writableLength: 0,
    write: (line: string) => {
      lines.push(line)
    },
  }
  const log = createLog(new Secrets(), 'info', destination)
  log.info('read')
  destination.writableLength = 2 * 1024 * 1024
  for (let line = 0; line < 100; line += 1) log.info('unread')
  destination.writableLength = 0
  log.info('read again')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'read' },
    { dropped: 100, msg: expect.stringContaining('left out') },
    { msg: 'read again' },
  ])
})
