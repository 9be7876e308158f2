import { expect, test } from 'vitest'
import { messagesIn } from './messages.ts'

test.each([
  ['{"jsonrpc":"2.0","id":1,"result":{}}', 1],
  ['{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"m"}}', 1],
  ['{"jsonrpc":"2.0","method":"m"}', 1],
  ['[{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":1,"result":{}}]', 2],
])('%s is read', (line, count) => {
  expect(messagesIn(line)).toHaveLength(count)
})

test.each(['', 'Listening on stdio', '{"level":"info"}', '[]', '[1]', 'null', '7', '{"id":1}', '{"jsonrpc":"2.0"'])(
  '%j is no message',
  (line) => {
    expect(messagesIn(line)).toBeUndefined()
  },
)
