/** One keep-alive connection on a bare socket: writes a request, reads one answer; cheap enough to leave the cores to what is measured. */
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Node's servers close a connection that was idle for five seconds, without a word that could be waited for. */
const STALE_MS = 2000

export class HttpConnection {
  readonly #url: URL
  #socket: Socket
  #received = ''
  #lastAnswer = performance.now()
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  private constructor(url: URL, socket: Socket) {
    this.#url = url
    this.#socket = socket
    this.#listen()
  }

  static async open(url: URL): Promise<HttpConnection> {
    return new HttpConnection(url, await connected(url))
  }

  /** Sends a whole request and resolves with its answer. One at a time. Opens anew what the server may be about to close. */
  async send(request: string): Promise<Answer> {
    if (performance.now() - this.#lastAnswer > STALE_MS) {
      this.#socket.removeAllListeners().on('error', () => {})
      this.#socket.destroy()
      this.#socket = await connected(this.#url)
      this.#listen()
    }
    return new Promise((resolve, reject) => {
      this.#received = ''
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #listen(): void {
    const socket = this.#socket
    socket.setNoDelay(true)
    // Latin-1 keeps one character a byte, so that lengths can be counted on text; the benchmark speaks ASCII only.
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  #take(text: string): void {
    this.#received += text
    const answer = parseAnswer(this.#received)
    if (answer === undefined) return
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#lastAnswer = performance.now()
    waiting?.resolve(answer)
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }
}

function connected(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** The answer, when all of it is there. */
function parseAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = text.slice(0, end).toLowerCase()
  const body = text.slice(end + 4)
  const status = Number(head.slice(9, 12))
  if (head.includes('transfer-encoding: chunked'))
    return body.endsWith('0\r\n\r\n') ? { status, head, body } : undefined
  const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)
  return body.length >= length ? { status, head, body } : undefined
}
