/** Gathers everything that is found in one manifest, so that all of it is told at once and in the order of the file. */
import type { Finding } from './finding.ts'
import { RULES, type Rule } from './rules.ts'
import { type TextPosition, textPositions } from './text-positions.ts'

/** Names and values of any length stand in messages. */
const MAX_MESSAGE = 400

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a message must not have
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

interface Noted {
  readonly rule: Rule
  readonly offset: number
  readonly message: string
}

export class Findings {
  readonly #file: string
  readonly #positionOf: (offset: number) => TextPosition
  readonly #noted: Noted[] = []
  #failed = false

  /** `text` is what the offsets count in; '' where there is none. */
  constructor(file: string, text: string) {
    this.#file = file
    this.#positionOf = textPositions(text)
  }

  /** Whether an error is among them. */
  get failed(): boolean {
    return this.#failed
  }

  add(rule: Rule, offset: number, message: string): void {
    this.#noted.push({ rule, offset, message })
    this.#failed ||= RULES[rule] === 'error'
  }

  /** The line, from 1, on which an offset stands. */
  lineOf(offset: number): number {
    return this.#positionOf(offset).line
  }

  /** All of them by position. A note where an error stands is left out: the error says more. */
  sorted(): readonly Finding[] {
    const isError = ({ rule }: Noted): boolean => RULES[rule] === 'error'
    const errorOffsets = new Set(this.#noted.filter(isError).map(({ offset }) => offset))
    return this.#noted
      .filter((noted) => isError(noted) || !errorOffsets.has(noted.offset))
      .sort((a, b) => a.offset - b.offset)
      .map(({ rule, offset, message }) => ({
        rule,
        level: RULES[rule],
        message: plainMessage(message),
        file: this.#file,
        ...this.#positionOf(offset),
      }))
  }
}

function plainMessage(message: string): string {
  const line = message.replace(CONTROLS, ' ').toWellFormed()
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE).toWellFormed()}…` : line
}
