/** Counts what became of the calls of the soak, and remembers what should not have happened. */

/** What became of a call, from its client's side. */
export type Outcome =
  /** Answered with its own token. */
  | 'answered'
  /** Given up by its client. */
  | 'cancelled'
  /** Its client broke off and never came back for the answer. */
  | 'left'
  /** Answered in words: it took too long. */
  | 'timed out'
  /** Answered in words: its server is down, or went down while it ran. */
  | 'failed'

/** One call that is to be answered once, with its token. */
export interface SoakCall {
  readonly token: string
  readonly tool: string
  /** When it was made, on the clock of `performance.now()`. */
  readonly start: number
}

/** How long a client waits for an answer of any kind before it takes it for lost, in milliseconds. */
export const PATIENCE_MS = 20_000
/** More of one kind would say nothing new. */
const MOST_SHOWN = 10

export class Tally {
  readonly #outcomes = new Map<Outcome, number>()
  readonly #things = new Map<string, number>()
  readonly #wrong: string[] = []
  readonly #steady: ReadonlySet<string>
  readonly #waits: number[] = []
  #calls = 0
  lost = 0
  doubled = 0

  /** @param steady the tools of servers whose calls have to be answered, whatever the others do */
  constructor(steady: readonly string[]) {
    this.#steady = new Set(steady)
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#calls
  }

  /** What should not have happened, some of each kind. */
  get wrong(): readonly string[] {
    return this.#wrong
  }

  /** Makes up the next call of one of the tools. */
  next(tools: readonly string[]): SoakCall {
    this.#calls += 1
    const tool = tools[Math.floor(Math.random() * tools.length)] ?? ''
    return { token: `call-${this.#calls}`, tool, start: performance.now() }
  }

  /** How many calls have come to an end of any kind. */
  get ends(): number {
    return [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0)
  }

  /** What part of the answers of steady servers came in so many milliseconds, for calls that had nothing to wait for. */
  waitAt(part: number): number {
    return this.#waits.sort((a, b) => a - b)[Math.floor(this.#waits.length * part)] ?? Number.NaN
  }

  /** How many calls ended so. */
  ended(outcome: Outcome): number {
    return this.#outcomes.get(outcome) ?? 0
  }

  /** How often something else happened. */
  count(thing: string): number {
    return this.#things.get(thing) ?? 0
  }

  /** Something else happened. */
  happened(thing: string): void {
    this.#things.set(thing, this.count(thing) + 1)
  }

  end(outcome: Outcome): void {
    this.#outcomes.set(outcome, this.ended(outcome) + 1)
  }

  /** The answer to a call, as the result of a tool. */
  answer(call: SoakCall, result: unknown): void {
    const { token, tool } = call
    const { content = [], isError }: { content?: readonly { text?: string }[]; isError?: boolean } = Object(result)
    const words = content.map(({ text }) => text ?? '').join('\n')
    if (isError !== true && words === token) this.end('answered')
    else if (this.#steady.has(tool)) this.fault(`${tool} is steady, but answered ${JSON.stringify(words)}`)
    else if (isError !== true) this.fault(`${tool} answered ${JSON.stringify(words)} to ${token}`)
    else if (/gave no answer/.test(words)) this.end('timed out')
    else if (words.includes(tool.split('_')[0] ?? tool)) this.end('failed')
    else this.fault(`${tool} answered in words that name no server: ${JSON.stringify(words)}`)
  }

  /** A call of a steady server that had nothing to wait for has been answered. */
  answeredAtOnce({ tool, start }: SoakCall): void {
    if (this.#steady.has(tool)) this.#waits.push(performance.now() - start)
  }

  /** A second answer came to the same request. */
  answeredTwice(what: string): void {
    this.doubled += 1
    this.fault(`two answers: ${what}`)
  }

  /** No answer came. */
  lose({ token, tool }: SoakCall): void {
    this.lost += 1
    this.fault(`${tool} left ${token} without an answer`)
  }

  /** Something that should not have happened. */
  fault(what: string): void {
    this.happened('faults')
    if (this.#wrong.length < MOST_SHOWN) this.#wrong.push(what)
  }
}
