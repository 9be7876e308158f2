import { expect, test } from 'vitest'
import { CallboardError } from '../../../errors.ts'
import { BROKEN, FILES, GITHUB, PLUGINS, run } from '../testing/plugins.ts'
import { type RunOptions, runDouble } from '../testing/run-double.ts'

test('runs the tool as the acting user with arguments from flags, and starts only its plugin', async () => {
  const { code, stdout, host } = await run('call github_create_issue --title hi --no-dry-run --labels a --labels b', {
    plugins: [GITHUB, FILES, BROKEN],
  })
  expect(host.requests).toMatchObject([
    {
      name: 'plugin:github:create_issue',
      arguments: { title: 'hi', dry_run: false, labels: ['a', 'b'] },
      user: 'owner',
      surface: 'cli',
    },
  ])
  expect(host.started).toEqual(['github'])
  expect([code, stdout]).toEqual([0, 'done\n'])
  expect(host.disposed).toBe(true)
})

test('global options are recognised wherever they stand, and are no arguments', async () => {
  const { host, stdout } = await run('call --user ana github_create_issue --json --title=hi --log-level debug')
  expect(host.requests).toMatchObject([{ arguments: { title: 'hi' }, user: 'ana' }])
  expect(JSON.parse(stdout)).toEqual({ content: [{ type: 'text', text: 'done' }] })
  expect((await run('--json call github_create_issue')).stdout).toMatch(/^{/)
})

test('single arguments win over --args, which may come from standard input', async () => {
  const line = ['call', 'github_create_issue', '--args', '-', '--title', 'flag', '--arg', 'json={"a":1}']
  const { host } = await runDouble(line, { plugins: PLUGINS, stdin: '{"title":"json","labels":["x"]}' })
  expect(host.requests[0]?.arguments).toEqual({ title: 'flag', labels: ['x'], json: { a: 1 } })
  const before = await runDouble(['call', '--args', '{"title":"a"}', '--arg', 'n=1', 'github_create_issue'], {
    plugins: PLUGINS,
  })
  expect(before.host.requests[0]?.arguments).toEqual({ title: 'a', n: 1 })
})

test.each([
  ['{', '--args is not JSON'],
  ['[1]', '--args must be a JSON object'],
  ['null', '--args must be a JSON object'],
])('--args %s is refused with 65', async (text, message) => {
  const { code, stderr, host } = await runDouble(['call', 'github_create_issue', '--args', text], {
    plugins: PLUGINS,
  })
  expect(stderr).toContain(message)
  expect(code).toBe(65)
  expect(host.requests).toMatchObject([
    { name: 'plugin:github:create_issue', arguments: {}, onResolve: expect.any(Function) },
  ])
})

test('numbers beyond doubles are handed on as they were written', async () => {
  const args = '{"id":9007199254740993,"n":[1.0]}'
  const { host } = await runDouble(['call', 'github_create_issue', '--args', args], { plugins: PLUGINS })
  expect(host.requests[0]?.arguments).toEqual({ id: 9007199254740992, n: [1] })
  expect(JSON.stringify(host.requests[0]?.writtenArguments)).toBe(args)
})

test.each([
  ['do', 'plugin:odd:do'],
  ["it's; reboot", "'plugin:odd:it'\\''s; reboot'"],
])('the command that helps with arguments of %j that do not fit can be pasted', async (name, word) => {
  const answer = () => Promise.reject(new CallboardError('invalid_arguments', 'n: expected number, got text'))
  const plugins = [{ id: 'odd', tools: [{ name }] }]
  const { code, stderr } = await runDouble(['call', `odd_${name}`], { plugins, answer })
  const { stderr: before } = await runDouble(['call', `odd_${name}`, '--args', '{'], { plugins })
  for (const text of [stderr, before]) expect(text).toContain(`\n  look at the tool with \`callboard show ${word}\`\n`)
  expect([code, stderr]).toEqual([65, expect.stringContaining('n: expected number, got text')])
})

test('a flag that the tool does not have is refused with 64', async () => {
  const { code, stderr } = await run('call github_create_issue --titel hi')
  expect(stderr).toContain('no argument --titel; did you mean --title?')
  expect(code).toBe(64)
})

test('a tool that is not there is left to the invoker, which keeps a record of it', async () => {
  const { code, stderr } = await run('call github_nothing --x 1')
  expect(stderr).toContain('callboard: the invoker knows no github_nothing')
  expect(code).toBe(66)
})

test('--help describes the tool and runs nothing', async () => {
  const { code, stdout, host } = await run('call github_create_issue --title x --help')
  expect(stdout).toContain('Usage: callboard call plugin:github:create_issue')
  expect(stdout).toContain('--title TEXT')
  expect([code, host.requests, host.started]).toEqual([0, [], []])
})

test.each([
  ['whose tools are known', { ...BROKEN, unknown: false, tools: [{ name: 'x' }] }],
  ['of which nothing is known', BROKEN],
])('a plugin %s that cannot be started is 69 with its reason, which the invoker records', async (_, broken) => {
  const { code, stderr, host } = await run('call broken_x', { plugins: [broken] })
  expect(stderr).toContain('callboard: plugin "broken" could not be started: command "nope" was not found\n')
  expect(code).toBe(69)
  expect(host.requests).toHaveLength(1)
})

test('texts are written as they are and the rest as JSON', async () => {
  const content = [
    { type: 'text', text: 'one\n' },
    { type: 'text', text: 'two\u001b[1m' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
  ]
  const { stdout } = await run('call github_close_issue', { answer: async () => ({ content }) })
  expect(stdout).toBe('one\ntwo\u001b[1m\n{"type":"image","data":"AA==","mimeType":"image/png"}\n')
  const shown = await run('call github_close_issue', { answer: async () => ({ content }), columns: 80 })
  expect(shown.stdout).toContain('one\ntwo\n')
})

test('structured content is written where there is no other', async () => {
  const answer = async () => ({ content: [], structuredContent: { a: 1 } })
  expect((await run('call github_close_issue', { answer })).stdout).toBe('{"a":1}\n')
})

test('a tool that failed writes to standard error and ends with 1; as JSON the result stays whole', async () => {
  const answer = async () => ({ content: [{ type: 'text', text: 'no such issue' }], isError: true })
  const { code, stdout, stderr } = await run('call github_close_issue', { answer })
  expect([code, stdout, stderr]).toEqual([1, '', 'no such issue\n'])
  const json = await run('call github_close_issue --json', { answer })
  expect(JSON.parse(json.stdout)).toMatchObject({ isError: true })
  expect(json.code).toBe(1)
})

test('progress is shown on a terminal, on standard error, and taken away again', async () => {
  const answer: RunOptions['answer'] = async (request) => {
    request.onProgress?.({ progress: 1, total: 4, message: 'reading' })
    return { content: [{ type: 'text', text: 'ok' }] }
  }
  const { stdout, stderr } = await run('call github_close_issue', { answer, columns: 80 })
  expect(stderr).toBe('\r\u001b[2K25% reading\r\u001b[2K')
  expect(stdout).toBe('ok\n')
  const piped = await run('call github_close_issue', { answer })
  expect([piped.stderr, piped.host.requests[0]?.onProgress]).toEqual(['', undefined])
})

test('when it is to end the call is cancelled and the code is 130', async () => {
  const controller = new AbortController()
  const answer: RunOptions['answer'] = ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      controller.abort(new CallboardError('cancelled', 'interrupted'))
    })
  const { code, stderr, host } = await run('call github_close_issue', { answer, signal: controller.signal })
  expect([code, stderr, host.disposed]).toEqual([130, 'callboard: interrupted\n', true])
})
