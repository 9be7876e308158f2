/** Reads what stands after `callboard call TOOL` into the tool's arguments. */

import { closestName } from '../../../closest-name.ts'
import { CallboardError } from '../../../errors.ts'
import { convertValue } from './convert-value.ts'
import type { ToolFlag, ToolFlags } from './tool-flags.ts'

/** What was asked for, values already converted. */
export interface ParsedFlags {
  readonly help: boolean
  /** The text of `--args`, or `-` for standard input; undefined when it was not given. */
  readonly json: string | undefined
  /** The arguments given one by one. */
  readonly values: ReadonlyMap<string, unknown>
}

/**
 * What was given for one argument, under the flag as it was first written: texts, or true and false for flags without a
 * value.
 */
interface Given {
  readonly label: string
  readonly schema: unknown
  readonly words: (string | boolean)[]
}

function usage(message: string): CallboardError {
  return new CallboardError('usage', message)
}

/** `--name=value` in two; without `=` the value is undefined. */
function splitToken(token: string): readonly [name: string, value: string | undefined] {
  const at = token.indexOf('=')
  return at < 0 ? [token.slice(2), undefined] : [token.slice(2, at), token.slice(at + 1)]
}

class FlagReader {
  readonly #flags: ToolFlags
  readonly #tokens: readonly string[]
  readonly #given = new Map<string, Given>()
  #at = 0
  #json: string | undefined
  #help = false

  constructor(tokens: readonly string[], flags: ToolFlags) {
    this.#tokens = tokens
    this.#flags = flags
  }

  read(): ParsedFlags {
    for (let token = this.#next(); token !== undefined; token = this.#next()) this.#token(token)
    const values = new Map<string, unknown>()
    for (const [name, given] of this.#given) values.set(name, this.#convert(given))
    return { help: this.#help, json: this.#json, values }
  }

  #convert({ label, schema, words }: Given): unknown {
    const texts = words.filter((word) => typeof word === 'string')
    if (texts.length === words.length) return convertValue(texts, { label, schema, root: this.#flags.root })
    if (words.length > 1) throw usage(`${label} was given ${words.length} times, but takes one value`)
    return words[0]
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++]
  }

  /** The token after a flag, unless it is a flag itself. */
  #followingValue(): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.startsWith('--')) return undefined
    this.#at++
    return token
  }

  #token(token: string): void {
    if (token === '-h' || token === '--help') this.#help = true
    else if (token.startsWith('--') && token.length > 2) this.#flag(token)
    else
      throw usage(
        `unexpected ${JSON.stringify(token)}; arguments are given as flags, and the tool takes ${this.#list()}`,
      )
  }

  #flag(token: string): void {
    const [name, attached] = splitToken(token)
    if (name === 'args') this.#wholeObject(attached)
    else if (name === 'arg') this.#named(attached)
    else {
      const flag = this.#lookUp(name)
      if (flag) this.#value(flag, `--${name}`, attached)
      else this.#negated(name, attached)
    }
  }

  #wholeObject(attached: string | undefined): void {
    const text = attached ?? this.#followingValue()
    if (text === undefined)
      throw usage('--args needs a JSON object, such as --args \'{"a":1}\', or - for standard input')
    if (this.#json !== undefined) throw usage('--args was given twice')
    this.#json = text
  }

  #named(attached: string | undefined): void {
    const text = attached ?? this.#followingValue()
    const at = text?.indexOf('=') ?? -1
    if (text === undefined || at < 1) throw usage('--arg needs NAME=VALUE, such as --arg json=true')
    const name = text.slice(0, at)
    this.#add(name, `--arg ${name}`, text.slice(at + 1))
  }

  #lookUp(spelling: string): ToolFlag | undefined {
    const [flag, ...others] = this.#flags.bySpelling.get(spelling) ?? []
    if (others.length === 0) return flag
    const names = this.#flags.bySpelling.get(spelling)?.map((one) => one.flag)
    throw usage(`--${spelling} could be any of ${names?.join(', ')}; write one of these`)
  }

  #value(flag: ToolFlag, label: string, attached: string | undefined): void {
    const text = attached ?? (flag.boolean ? this.#booleanValue() : this.#followingValue())
    if (text !== undefined || flag.boolean) this.#add(flag.name, label, text ?? true)
    else throw usage(`${label} needs a value: ${flag.value}; one that begins with -- is written ${label}=--…`)
  }

  /** After a flag that needs no value `-h` asks for help; everything else that is no flag is its value. */
  #booleanValue(): string | undefined {
    return this.#tokens[this.#at] === '-h' ? undefined : this.#followingValue()
  }

  #negated(name: string, attached: string | undefined): void {
    const flag = name.startsWith('no-') ? this.#lookUp(name.slice(3)) : undefined
    if (!flag?.boolean) throw this.#unknown(name)
    if (attached !== undefined || this.#tokens[this.#at]?.startsWith('-') === false)
      throw usage(`--${name} takes no value; write ${flag.flag}=true or ${flag.flag}=false`)
    this.#add(flag.name, `--${name}`, false)
  }

  #add(name: string, label: string, word: string | boolean): void {
    const given = this.#given.get(name) ?? { label, schema: this.#flags.byName.get(name)?.schema, words: [] }
    given.words.push(word)
    this.#given.set(name, given)
  }

  #unknown(name: string): CallboardError {
    const near = closestName(name, [...this.#flags.bySpelling.keys()])
    const guess = near === undefined ? ';' : `; did you mean --${near}?`
    return usage(`no argument --${name}${guess} the tool takes ${this.#list()}`)
  }

  #list(): string {
    return this.#flags.all.map((flag) => flag.flag).join(', ') || 'no arguments'
  }
}

/**
 * Reads the words after the tool's name. Values are converted by the schema; that they are valid is the invoker's to
 * say.
 * @throws CallboardError `usage` for flags that can't be understood, `invalid_arguments` for a value of the wrong type
 */
export function parseFlags(tokens: readonly string[], flags: ToolFlags): ParsedFlags {
  return new FlagReader(tokens, flags).read()
}
