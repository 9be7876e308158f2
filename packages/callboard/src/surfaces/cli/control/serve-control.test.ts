import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CallboardError } from '../../../errors.ts'
import { createLog } from '../../../log.ts'
import { Secrets } from '../../../secrets.ts'
import { Readers } from '../../readers.ts'
import { controlScene } from '../testing/control-scene.ts'
import type { RunWords } from './command-connection.ts'
import { findControlAddress } from './control-address.ts'
import { encodeFrame, FRAME } from './frames.ts'

const isRoot = process.getuid?.() === 0

/** Writes its words, and ends with 3. */
const echo: RunWords = async (words, { stdout, stderr }) => {
  stdout.write(`${words.join(' ')}\n`)
  stderr.write('said\n')
  return 3
}

/** Waits to be ended, and tells why it was. */
function waiting() {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const run: RunWords = async (_words, { stderr }, signal) => {
    begun.resolve()
    if (!signal.aborted) await once(signal, 'abort')
    const { message } = signal.reason
    ended.resolve(message)
    stderr.write(message)
    return signal.reason instanceof CallboardError ? signal.reason.exitCode : 70
  }
  return { run, begun: begun.promise, ended: ended.promise }
}

/** What becomes of a connection that another user of this machine opens. */
async function connectAsNobody(path: string): Promise<string> {
  const script = `
    const { connect } = require('node:net')
    process.setgroups([])
    process.setgid(65534)
    process.setuid(65534)
    connect(process.argv[1]).on('error', (error) => console.log(error.code)).on('connect', () => console.log('connected'))`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString()
  })
  await once(child, 'close')
  return told.trim()
}

describe('a command in a running host', () => {
  test('has its words, its outputs and its exit code', async () => {
    const scene = controlScene()
    await scene.host(echo)
    const result = await scene.run(['call', 'x', '--arg', 'text=ä 🎭'])
    expect(result).toEqual({ code: 3, stdout: 'call x --arg text=ä 🎭\n', stderr: 'said\n', warnings: [] })
  })

  test('is told of the terminal and its colours', async () => {
    const scene = controlScene()
    await scene.host(async (_words, { stdout, stderr }) => {
      stdout.write(JSON.stringify([stdout.isTerminal, stdout.width, stdout.style('red', 'x'), stderr.isTerminal]))
      return 0
    })
    const seen = async (env: Readonly<Record<string, string>>) => {
      let written = ''
      const stdout = Object.assign(
        new Writable({
          write: (chunk, _encoding, done) => {
            written += chunk
            done()
          },
        }),
        { isTTY: true, columns: 132 },
      )
      await scene.run(['list'], { stdout, env })
      return JSON.parse(written)
    }
    expect(await seen({ TERM: 'xterm' })).toEqual([true, 132, '\u001b[31mx\u001b[39m', false])
    expect(await seen({ NO_COLOR: '1' })).toEqual([true, 132, 'x', false])
  })

  test('reads standard input only if it wants it, and all of it', async () => {
    const scene = controlScene()
    await scene.host(async (words, terminal) => {
      if (words[0] === 'read') terminal.stdout.write(`${(await terminal.readStdin()).length}`)
      return 0
    })
    const stdin = new PassThrough()
    stdin.end('ä'.repeat(1_000_000))
    await scene.run(['leave'], { stdin })
    expect(stdin.readableFlowing).toBeNull()
    expect((await scene.run(['read'], { stdin })).stdout).toBe('1000000')
  })

  test('is refused a standard input without end', async () => {
    const scene = controlScene()
    await scene.host(async (_words, { readStdin, stderr }) => {
      stderr.write(await readStdin().then(String, ({ message }) => message))
      return 65
    })
    const piece = Buffer.alloc(1024 * 1024)
    async function* endless() {
      for (;;) yield piece
    }
    const stdin = Readable.from(endless())
    expect(await scene.run(['read'], { stdin })).toMatchObject({
      code: 65,
      stderr: 'standard input is longer than 64 MB',
    })
    stdin.destroy()
  })

  test('loses nothing to a reader who is slow, and no character is cut in two', async () => {
    const scene = controlScene()
    const text = `${'🎭ä'.repeat(700_000)}.`
    await scene.host(async (_words, { stdout }) => {
      stdout.write(text)
      return 0
    })
    let bytes = 0
    const pieces: Buffer[] = []
    const stdout = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.byteLength
        pieces.push(chunk)
        setImmediate(done)
      },
    })
    expect((await scene.run(['big'], { stdout })).code).toBe(0)
    stdout.end()
    await once(stdout, 'finish')
    expect(bytes).toBe(Buffer.byteLength(text))
    expect(Buffer.concat(pieces).toString('utf8') === text).toBe(true)
  })

  test('does not hold up the others while nobody reads it', async () => {
    const scene = controlScene()
    await scene.host(async (words, { stdout }) => {
      stdout.write(words[0] === 'big' ? 'x'.repeat(20_000_000) : 'small')
      return 0
    })
    const stuck = Promise.withResolvers<() => void>()
    const stdout = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => stuck.resolve(done) })
    const stop = new AbortController()
    const big = scene.run(['big'], { stdout, signal: stop.signal })
    await stuck.promise
    expect((await scene.run(['other'])).stdout).toBe('small')
    stop.abort(new CallboardError('cancelled', 'interrupted'))
    expect((await big).code).toBe(0)
  })

  test('is cut off when it is stopped and takes nothing, and nothing of its output stays', async () => {
    const scene = controlScene()
    const lines: string[] = []
    const log = createLog(new Secrets(), 'warn', { write: (line: string) => lines.push(line) })
    const readers = new Readers(log, { windowMs: 500 })
    const run: RunWords = async (_words, { stdout }) => {
      stdout.write('x'.repeat(20_000_000))
      return 0
    }
    await scene.host(run, 1, readers)
    const stopped = connect(findControlAddress(scene.dataDir) ?? '')
    onTestFinished(() => void stopped.destroy())
    stopped.pause()
    const facts = { isTerminal: false }
    stopped.write(encodeFrame(FRAME.run, JSON.stringify({ words: ['big'], stdout: facts, stderr: facts, env: {} })))
    await expect.poll(() => readers.bytes, { timeout: 20_000 }).toBeGreaterThan(10_000_000)
    await expect.poll(() => readers.bytes, { timeout: 20_000 }).toBe(0)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ via: 'command line', bytes: expect.any(Number) })
  })

  test('is cancelled by its signal and says its last words', async () => {
    const scene = controlScene()
    const { run, begun, ended } = waiting()
    await scene.host(run)
    const stop = new AbortController()
    const result = scene.run(['wait'], { signal: stop.signal })
    await begun
    stop.abort(new CallboardError('cancelled', 'interrupted'))
    expect(await result).toMatchObject({ code: 130, stderr: 'interrupted' })
    expect(await ended).toBe('interrupted')
  })

  test('is cancelled when its process is gone', async () => {
    const scene = controlScene()
    const { run, begun, ended } = waiting()
    await scene.host(run)
    const socket = connect(join(scene.dataDir, 'control.sock'))
    socket.write(encodeFrame(FRAME.run, '{"words":["wait"]}'))
    await begun
    socket.destroy()
    expect(await ended).toBe('the command has gone')
  })

  test('is told when the host ends', async () => {
    const scene = controlScene()
    const { run, begun } = waiting()
    const control = await scene.host(run)
    const result = scene.run(['wait'])
    await begun
    await control.close()
    expect(await result).toMatchObject({ code: 75, stderr: 'the host is being stopped' })
    expect((await scene.run(['list'])).code).toBeUndefined()
  })

  test('does not wait for a host that falls silent', async () => {
    const scene = controlScene()
    const server = createServer((socket) => {
      const hello = {
        protocol: 1,
        version: '1.2.3',
        pid: 77,
        since: 0,
        address: 'stdio',
        config: '/etc/callboard.yaml',
      }
      socket.write(encodeFrame(FRAME.hello, JSON.stringify(hello)))
    })
    server.listen(join(scene.dataDir, 'control.sock'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    await expect(scene.run(['list'], { silenceMs: 600 })).rejects.toThrow(
      'the running host (process 77) has not been heard of for 0.6 s in the middle of the command',
    )
  })

  test('is not taken a second time when the host breaks off', async () => {
    const scene = controlScene()
    let commands = 0
    const server = createServer((socket) => {
      const hello = {
        protocol: 1,
        version: '1.2.3',
        pid: 77,
        since: 0,
        address: 'stdio',
        config: '/etc/callboard.yaml',
      }
      socket.write(encodeFrame(FRAME.hello, JSON.stringify(hello)))
      socket.once('data', () => {
        commands += 1
        socket.destroy()
      })
    })
    server.listen(join(scene.dataDir, 'control.sock'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const error = await scene.run(['call', 'x']).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'interrupted', message: expect.stringMatching(/process 77.*or not$/) })
    expect(commands).toBe(1)
  })
})

describe('a host that is not worked through', () => {
  test('is one of another version, with a warning', async () => {
    const scene = controlScene()
    await scene.host(echo)
    const { code, warnings } = await scene.run(['list'], { version: '1.3.0' })
    expect(code).toBeUndefined()
    expect(warnings).toEqual([
      'the running host (process 1) is callboard 1.2.3 and this is 1.3.0, so the command runs without it; restart the host to work through it',
    ])
  })

  test('is one of another config on the same data folder, which is named and not warned of', async () => {
    const scene = controlScene()
    await scene.host(echo)
    expect(await scene.run(['list'], { config: '/no/such.yaml' })).toMatchObject({
      code: { pid: 1, config: '/etc/callboard.yaml' },
      stdout: '',
      warnings: [],
    })
  })

  test.each([
    ['says something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['says what is no greeting', encodeFrame(FRAME.hello, '{"protocol":"1"}')],
  ])('is something that %s', async (_what, words) => {
    const scene = controlScene()
    const server = createServer((socket) => socket.write(words))
    server.listen(join(scene.dataDir, 'control.sock'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { code, warnings } = await scene.run(['list'])
    expect(code).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('does not answer as a host does')])
  })

  test('is one that hangs, after three seconds', async () => {
    const scene = controlScene()
    const server = createServer()
    server.listen(join(scene.dataDir, 'control.sock'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { code, warnings } = await scene.run(['list'])
    expect(code).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('does not answer within 3 s')])
  })

  test('nothing that connects and talks nonsense harms the host', async () => {
    const scene = controlScene()
    await scene.host(echo)
    for (const nonsense of ['GET / HTTP/1.1\r\n\r\n', encodeFrame(FRAME.run, '{"words":3}'), encodeFrame(FRAME.exit)]) {
      const socket = connect(join(scene.dataDir, 'control.sock'))
      socket.on('error', () => undefined)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.end(nonsense)
      socket.resume()
      await closed
    }
    expect((await scene.run(['list'])).code).toBe(3)
  })
})

describe('the socket', () => {
  test('is its owner’s alone, and goes with the host', async () => {
    const scene = controlScene()
    const control = await scene.host(echo)
    const file = join(scene.dataDir, 'control.sock')
    expect(lstatSync(file).isSocket()).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(scene.dataDir, 'control.lock')).mode & 0o777).toBe(0o600)
    await control.close()
    expect(readdirSync(scene.dataDir)).toEqual(['control.lock'])
  })

  test.runIf(isRoot)('can not be connected to by another user, even where the folder can be entered', async () => {
    const scene = controlScene()
    await scene.host(echo)
    chmodSync(scene.dataDir, 0o755)
    const open = join(scene.dataDir, 'open.sock')
    const server = createServer((socket) => socket.end())
    server.listen({ path: open, readableAll: true, writableAll: true })
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await connectAsNobody(join(scene.dataDir, 'control.sock'))).toBe('EACCES')
    expect(await connectAsNobody(open)).toBe('connected')
  })

  test.runIf(isRoot)('is not talked to where it is somebody else’s', async () => {
    const scene = controlScene()
    await scene.host(echo)
    execFileSync('chown', ['65534', join(scene.dataDir, 'control.sock')])
    await expect(scene.run(['list'])).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('belongs to somebody else, so no command is sent there'),
    })
  })

  test('of a host that was killed is no host, and the next one replaces it', async () => {
    const scene = controlScene()
    const file = join(scene.dataDir, 'control.sock')
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script, file])
    expect(lstatSync(file).isSocket()).toBe(true)
    expect(await scene.run(['list'])).toMatchObject({ code: undefined, warnings: [] })
    await scene.host(echo)
    expect((await scene.run(['list'])).code).toBe(3)
  })

  test('stays with the first host; the next takes over when it ends, and the one after that', async () => {
    const scene = controlScene()
    const told =
      (name: string): RunWords =>
      async (_words, { stdout }) => {
        stdout.write(name)
        return 0
      }
    const first = await scene.host(told('first'))
    const second = await scene.host(told('second'))
    const third = await scene.host(told('third'))
    const answering = async () => (await scene.run(['x'])).stdout
    expect(await answering()).toBe('first')
    await first.close()
    await expect.poll(answering).toMatch(/second|third/)
    const [then, last, rest] = (await answering()) === 'second' ? [second, 'third', third] : [third, 'second', second]
    await then.close()
    await expect.poll(answering).toBe(last)
    await rest.close()
    expect((await scene.run(['x'])).code).toBeUndefined()
  })

  test('a host that waits for it ends at once', async () => {
    const scene = controlScene()
    await scene.host(echo)
    const second = await scene.host(echo)
    await second.close()
    expect((await scene.run(['x'])).code).toBe(3)
  })

  test('works in a folder whose path is too long for one, and leaves nothing behind', async () => {
    const scene = controlScene('a-rather-long-name/'.repeat(8))
    const file = join(scene.dataDir, 'control.sock')
    const control = await scene.host(echo)
    const folder = dirname(readlinkSync(file))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect((await scene.run(['list'])).code).toBe(3)
    await control.close()
    expect([existsSync(folder), readdirSync(scene.dataDir)]).toEqual([false, ['control.lock']])
  })

  test('at the end of a link is talked to only in a folder that nobody else can enter', async () => {
    const scene = controlScene('a-rather-long-name/'.repeat(8))
    await scene.host(echo)
    const folder = dirname(readlinkSync(join(scene.dataDir, 'control.sock')))
    chmodSync(folder, 0o755)
    await expect(scene.run(['list'])).rejects.toMatchObject({ code: 'denied' })
  })

  test('that can not be made keeps no host from serving', async () => {
    const scene = controlScene()
    rmSync(scene.dataDir, { recursive: true })
    writeFileSync(scene.dataDir, '')
    const control = await scene.host(echo)
    await control.close()
  })
})
