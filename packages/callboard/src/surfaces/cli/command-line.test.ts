import { describe, expect, test } from 'vitest'
import { CallboardError, type ErrorCode, UpstreamError } from '../../errors.ts'
import { type DoublePlugin, HostDouble, type RunOptions, runDouble } from './host-double.ts'

const GITHUB: DoublePlugin = {
  id: 'github',
  tools: [
    {
      name: 'create_issue',
      title: 'Create issue',
      description: 'Opens an issue.\nWith a second line.',
      inputSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'What it is about' },
          dry_run: { type: 'boolean', default: false },
          labels: { type: 'array', items: { type: 'string' } },
          json: { type: 'object' },
        },
        required: ['title'],
      },
    },
    { name: 'close_issue', description: 'Closes an issue.', destructive: true },
  ],
}
const FILES: DoublePlugin = { id: 'files', tools: [{ name: 'read', description: 'Reads a file.' }], unknown: true }
const BROKEN: DoublePlugin = { id: 'broken', tools: [], broken: 'command "nope" was not found' }
const PLUGINS = [GITHUB, FILES]

const run = (line: string, options: RunOptions = {}) => runDouble(line.split(' '), { plugins: PLUGINS, ...options })

describe('list', () => {
  test('in a pipe every tool is one line of cells between tabs, sorted and whole', async () => {
    const { code, stdout, stderr } = await run('list')
    expect(stdout).toBe(
      [
        'plugin:files:read\texternal\tReads a file.',
        'plugin:github:close_issue\texternal\tCloses an issue.',
        'plugin:github:create_issue\texternal\tOpens an issue. With a second line.',
        '',
      ].join('\n'),
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('on a terminal the columns have heads and the last one is cut to the width', async () => {
    const { stdout } = await run('list', { columns: 60 })
    expect(stdout.split('\n')).toEqual([
      'TOOL                        CATEGORY  DESCRIPTION',
      'plugin:files:read           external  Reads a file.',
      'plugin:github:close_issue   external  Closes an issue.',
      'plugin:github:create_issue  external  Opens an issue. With…',
      '',
    ])
  })

  test('only a plugin of which nothing is known is started', async () => {
    expect((await run('list')).host.started).toEqual(['files'])
    expect((await run('list --plugin github')).host.started).toEqual([])
  })

  test('a plugin that cannot be started is a warning and no failure', async () => {
    const { code, stdout, stderr } = await run('list', { plugins: [GITHUB, BROKEN] })
    expect(stderr).toBe('warning: plugin "broken" could not be started: command "nope" was not found\n')
    expect(stdout).toContain('plugin:github:close_issue')
    expect(code).toBe(0)
  })

  test('filters and pages', async () => {
    expect((await run('list --plugin files')).stdout).toBe('plugin:files:read\texternal\tReads a file.\n')
    expect((await run('list --category ai')).stdout).toBe('')
    expect((await run('list --offset 1 --limit 1')).stdout).toBe(
      'plugin:github:close_issue\texternal\tCloses an issue.\n',
    )
    expect((await run('list --offset 99')).stdout).toBe('')
  })

  test('as JSON it is one document with all three names and the next page', async () => {
    const { stdout } = await run('list --json --limit 1')
    expect(JSON.parse(stdout)).toEqual({
      tools: [
        {
          name: 'files_read',
          namespacedName: 'plugin:files:read',
          declaredName: 'read',
          description: 'Reads a file.',
          pluginId: 'files',
          category: 'external',
          providers: [],
        },
      ],
      total: 3,
      offset: 0,
      nextOffset: 1,
    })
  })

  test('--plugins groups by plugin', async () => {
    const { stdout } = await run('list --plugins', { columns: 80 })
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'files (1 tool)',
      '  plugin:files:read  external  Reads a file.',
      'github (2 tools)',
      '  plugin:github:close_issue   external  Closes an issue.',
      '  plugin:github:create_issue  external  Opens an issue. With a second line.',
      '',
    ])
    const grouped = JSON.parse((await run('list --plugins --json')).stdout)
    expect(grouped.plugins.map((plugin: { id: string }) => plugin.id)).toEqual(['files', 'github'])
  })

  test('what a server writes can not steer the terminal', async () => {
    const evil: DoublePlugin = { id: 'evil', tools: [{ name: 'x', description: 'a\u001b[31mb\u0007c\u202ed' }] }
    const { stdout } = await run('list', { plugins: [evil], columns: 80 })
    expect(stdout).toContain('abcd')
  })
})

describe('search', () => {
  test('finds by words and says how much there is', async () => {
    const { stdout } = await run('search issue --json --limit 1')
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'issue',
      total: 2,
      nextOffset: 1,
      tools: [{ declaredName: 'create_issue' }],
    })
  })

  test('several words are one query', async () => {
    expect((await run('search Reads a file')).stdout).toContain('plugin:files:read')
  })

  test('no match is no failure', async () => {
    const { code, stdout, stderr } = await run('search zebra')
    expect([code, stdout, stderr]).toEqual([0, '', 'no tool matches\n'])
  })

  test('an empty query is refused', async () => {
    expect((await runDouble(['search', '  '])).code).toBe(64)
  })
})

describe('show', () => {
  test('has the names and the flags', async () => {
    const { stdout } = await run('show github_create_issue', { columns: 100 })
    expect(stdout).toContain('name           plugin:github:create_issue\n')
    expect(stdout).toContain('public name    github_create_issue\n')
    expect(stdout).toContain('\nOpens an issue.\nWith a second line.\n')
    expect(stdout).toContain('  --title TEXT             (required) What it is about\n')
    expect(stdout).toContain('  --dry-run, --no-dry-run  (default false)\n')
    expect(stdout).toContain('  --labels TEXT…\n')
    expect(stdout).toContain('  --arg json=JSON\n')
  })

  test('as JSON it has the schema as an object', async () => {
    const { stdout } = await run('show plugin:github:create_issue --json')
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'github_create_issue',
      namespacedName: 'plugin:github:create_issue',
      declaredName: 'create_issue',
      inputSchema: { required: ['title'] },
      destructive: false,
    })
  })

  test('a known tool starts nothing; an unknown one only the plugins it may belong to', async () => {
    expect((await run('show github_create_issue')).host.started).toEqual([])
    expect((await run('show files_read')).host.started).toEqual(['files'])
    expect((await run('show plugin:github:nothing')).host.started).toEqual([])
  })

  test('a tool that is not there is answered with close names and 66', async () => {
    const { code, stderr } = await run('show github_create_isue')
    expect(stderr).toBe(
      'callboard: no tool named "github_create_isue"; did you mean "github_create_issue" or "github_close_issue"?\n  find the name with `callboard search`\n',
    )
    expect(code).toBe(66)
  })
})

describe('call', () => {
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
    expect(host.requests).toEqual([])
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

  test('a plugin that cannot be started is 69 with its reason', async () => {
    const broken = { ...BROKEN, tools: [{ name: 'x' }] }
    const { code, stderr } = await run('call broken_x', { plugins: [broken] })
    expect(stderr).toContain('callboard: plugin "broken" could not be started: command "nope" was not found\n')
    expect(code).toBe(69)
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
})

describe('plugins and doctor', () => {
  test('plugins starts all and tells their states', async () => {
    const { code, stdout, host } = await run('plugins', { plugins: [GITHUB, BROKEN] })
    expect(stdout).toMatch(
      /^broken\tmcp\tfailed\t0\tcommand "nope" was not found\ngithub\tmcp\tup\t2\t\d\d:\d\d:\d\d\n$/,
    )
    expect([code, host.started]).toEqual([0, ['github', 'broken']])
    const { plugins } = JSON.parse((await run('plugins --json', { plugins: [GITHUB] })).stdout)
    expect(plugins).toEqual([{ id: 'github', kind: 'mcp', state: 'up', since: '1970-01-01T00:00:00.000Z', tools: 2 }])
  })

  test('doctor is content when everything is up', async () => {
    const { code, stdout } = await run('doctor', { notes: ['http.auth has no effect'] })
    expect(code).toBe(0)
    expect(stdout).toContain(`node\t${process.version}\nconfig\t/etc/callboard.yaml\ndata folder\t/var/callboard\n`)
    expect(stdout).toMatch(/github\tup\t2 tools\t\d+ ms\t\n/)
    expect(stdout).toContain('note: http.auth has no effect\n')
    expect(stdout).toContain('All is well.\n')
  })

  test.each([
    { plugins: [BROKEN], reports: [] },
    { plugins: [GITHUB], reports: ['two tools are named x'] },
  ])('doctor ends with 1 when something is wrong: %j', async (options) => {
    const { code, stdout } = await run('doctor', options)
    expect(stdout).toContain('Not all is well.')
    expect(code).toBe(1)
    expect(JSON.parse((await run('doctor --json', options)).stdout)).toMatchObject({
      well: false,
      problems: options.reports,
    })
  })
})

describe('what goes wrong', () => {
  const EXITS: readonly (readonly [ErrorCode, number])[] = [
    ['usage', 64],
    ['invalid_arguments', 65],
    ['not_found', 66],
    ['tool_failed', 1],
    ['unavailable', 69],
    ['timeout', 69],
    ['cancelled', 130],
    ['denied', 77],
    ['config', 78],
    ['internal', 70],
  ]
  test.each(EXITS)('an error %s ends with %i, in words or as JSON', async (code, exit) => {
    const answer = () => Promise.reject(new CallboardError(code, 'the message'))
    const { stderr, code: exitCode } = await run('call github_close_issue', { answer })
    expect(stderr).toMatch(/^callboard: the message\n/)
    expect(exitCode).toBe(exit)
    const json = await run('call github_close_issue --json', { answer })
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code, message: 'the message', exitCode: exit } })
    expect(json.stdout).toBe('')
  })

  test("a server's own error ends with 1 and keeps its code and data", async () => {
    const answer = () => Promise.reject(new UpstreamError(-32_000, 'broken', { why: 1 }))
    const { code, stderr } = await run('call github_close_issue --json', { answer })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'tool_failed', rpcCode: -32_000, data: { why: 1 } } })
    expect(code).toBe(1)
  })

  test('anything else is internal', async () => {
    const { code, stderr } = await run('list', { openHost: () => Promise.reject(new TypeError('oops')) })
    expect(stderr).toContain('callboard: oops')
    expect(code).toBe(70)
  })

  test('secrets are replaced in errors', async () => {
    const openHost = async () => {
      const host = new HostDouble({ plugins: PLUGINS, answer: () => Promise.reject(new Error('key hunter22 refused')) })
      host.secrets.add('hunter22')
      return host
    }
    const { stderr } = await run('call github_close_issue', { openHost })
    expect(stderr).toContain('key [secret] refused')
  })

  test.each([
    ['lst', "unknown command 'lst' (Did you mean list?)"],
    ['list --bogus', "unknown option '--bogus'"],
    ['list --limit x', "option '--limit <n>' argument 'x' is invalid. It must be a whole number, 0 or more."],
    ['list --limit -1', 'It must be a whole number, 0 or more.'],
    ['list --category x', 'Allowed choices are tool, ai, stream, external.'],
    ['list extra', 'too many arguments'],
    ['search', "missing required argument 'query'"],
    ['call', "missing required argument 'tool'"],
    ['serve --http nonsense:x', 'It must be HOST:PORT, such as 127.0.0.1:2255.'],
    ['call x --log-level loud', 'no log level "loud"'],
    ['call x --config', '--config needs a value'],
  ])('%s is refused with 64', async (line, message) => {
    const { code, stderr, stdout } = await run(line)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([64, ''])
  })

  test('a usage error is JSON where JSON was asked for', async () => {
    expect(JSON.parse((await run('list --json --bogus')).stderr)).toMatchObject({ error: { code: 'usage' } })
  })

  test('no command at all is answered with the help and 64', async () => {
    const { code, stderr } = await runDouble([])
    expect(stderr).toContain('Usage: callboard')
    expect(code).toBe(64)
  })
})

describe('who may', () => {
  test.each(['list', 'search x', 'show x', 'call x', 'call x --help', 'plugins', 'doctor', 'serve'])(
    '%s needs cli.access',
    async (line) => {
      const { code, stderr, stdout, host } = await run(`${line} --user ana`, { permissions: [] })
      expect(stderr).toContain(
        'callboard: user "ana" may not use the command line: it needs the permission "cli.access"',
      )
      expect([code, stdout, host.started]).toEqual([77, '', []])
    },
  )

  test('help and version need nothing', async () => {
    const openHost = () => Promise.reject(new Error('a host was opened'))
    for (const line of ['--help', 'help', 'list --help', 'call --help', 'help call'])
      expect((await run(line, { openHost })).code).toBe(0)
    expect(await run('--version', { openHost })).toMatchObject({ code: 0, stdout: '1.2.3\n' })
  })
})
