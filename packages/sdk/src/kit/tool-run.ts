/** One call of a tool in a test: how it ended, what it said, and the assertions on both. */
import { AssertionError } from 'node:assert'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Progress, ToolResult } from '../tool-result.ts'

/**
 * `ok`, or `tool_error` for a result that says so itself. Not run: `unknown`, where there is no such tool; `denied`,
 * where the user lacks the permission or the surface does not have the tool; `invalid` arguments. `failed`: the tool
 * threw, or its answer was no result or does not fit its `outputSchema`. `cancelled`: its signal was aborted before it
 * had answered.
 */
export type RunOutcome = 'ok' | 'tool_error' | 'unknown' | 'denied' | 'invalid' | 'failed' | 'cancelled'

/** A message that the tool wrote to its log. */
export interface LoggedMessage {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** What became of a call. */
export interface RunFacts {
  /** The call in words, for messages. */
  readonly call: string
  readonly outcome: RunOutcome
  /** Why there is no result; '' where there is one. */
  readonly message: string
  readonly result: ToolResult | undefined
  readonly progress: readonly Progress[]
  readonly logged: readonly LoggedMessage[]
}

const MAX_SHOWN = 500

/**
 * A call that has ended. Each assertion throws an AssertionError that says what became of the call, else gives the call
 * back.
 */
export class ToolRun implements RunFacts {
  readonly call: string
  readonly outcome: RunOutcome
  readonly message: string
  readonly result: ToolResult | undefined
  readonly progress: readonly Progress[]
  readonly logged: readonly LoggedMessage[]

  constructor({ call, outcome, message, result, progress, logged }: RunFacts) {
    this.call = call
    this.outcome = outcome
    this.message = message
    this.result = result
    this.progress = progress
    this.logged = logged
  }

  /** The texts of the result, a line each; '' where there is none. */
  get text(): string {
    return (this.result?.content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
  }

  /** It ran and answered, and the answer is no error. */
  assertOk(): this {
    return this.#assertOutcome('ok', 'answer')
  }

  /** The user may use the tool, whatever came of it. */
  assertPermitted(): this {
    const isPermitted = this.outcome !== 'denied' && this.outcome !== 'unknown'
    return this.#assert(isPermitted, 'be permitted', this.outcome, 'permitted')
  }

  /** The user may not use the tool there: for want of the permission, or because the surface does not have it. */
  assertDenied(): this {
    return this.#assertOutcome('denied', 'be denied')
  }

  /**
   * The arguments are not valid, by the JSON Schema or by the tool's own look at them; `expected` is in the words that
   * say so.
   */
  assertInvalid(expected?: string | RegExp): this {
    return this.#assertOutcome('invalid', 'have invalid arguments').#assertSaid(expected, this.message)
  }

  /** The result is an error; `expected` is in its text. */
  assertToolError(expected?: string | RegExp): this {
    return this.#assertOutcome('tool_error', 'answer with an error').#assertSaid(expected, this.text)
  }

  /**
   * The tool threw, or its answer was no result or does not fit its `outputSchema`; `expected` is in the words that say
   * so.
   */
  assertFailed(expected?: string | RegExp): this {
    return this.#assertOutcome('failed', 'fail').#assertSaid(expected, this.message)
  }

  /** It answered, and its text is this, or matches it. */
  assertText(expected: string | RegExp): this {
    const isRight = typeof expected === 'string' ? this.text === expected : expected.test(this.text)
    return this.assertOk().#assert(isRight, `answer ${shown(expected)}`, this.text, expected)
  }

  /** It answered, and its `structuredContent` is deeply equal to this. */
  assertStructured(expected: unknown): this {
    const actual = this.assertOk().result?.structuredContent
    return this.#assert(isDeepStrictEqual(actual, expected), `answer the data ${shown(expected)}`, actual, expected)
  }

  /** It told exactly these steps of progress, in this order. */
  assertProgress(expected: readonly Progress[]): this {
    const isRight = isDeepStrictEqual(this.progress, expected)
    const told = `tell the progress ${shown(expected)}; it told ${shown(this.progress)}`
    return this.#assert(isRight, told, this.progress, expected)
  }

  #assertOutcome(expected: RunOutcome, what: string): this {
    return this.#assert(this.outcome === expected, what, this.outcome, expected)
  }

  #assertSaid(expected: string | RegExp | undefined, said: string): this {
    if (expected === undefined) return this
    const isSaid = typeof expected === 'string' ? said.includes(expected) : expected.test(said)
    return this.#assert(isSaid, `say ${shown(expected)}`, said, expected)
  }

  #assert(isRight: boolean, what: string, actual: unknown, expected: unknown): this {
    if (isRight) return this
    const message = `expected ${this.call} to ${what}, but ${this.#whatHappened()}`
    throw new AssertionError({ message, actual, expected, stackStartFn: this.#assert })
  }

  #whatHappened(): string {
    if (this.result === undefined) return `it was ${this.outcome}: ${this.message}`
    const { structuredContent } = this.result
    const data = structuredContent === undefined ? '' : ` and the data ${shown(structuredContent)}`
    return `it answered ${this.outcome === 'ok' ? '' : 'the error '}${shown(this.text)}${data}`
  }
}

function shown(value: unknown): string {
  const text = inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY })
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
