/** Copies a value into plain data, and refuses what JSON would lose or change. */
import { textOfThrown } from './text-of-thrown.ts'

/** Plain data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Deeper values are refused: whoever gets them follows them on the stack. */
const MAX_DEPTH = 128
/** Characters in all; a value of this size keeps the others waiting for some 50 ms. */
const MAX_SIZE = 16 * 1024 * 1024
/** What a value counts besides its characters, so that a list of a million zeros has an end too. */
const VALUE_SIZE = 16

/** A property like those that are assigned. */
const OWN = { writable: true, enumerable: true, configurable: true } as const

/**
 * Why a value can't be sent: where it is wrong and what stands there, such as `rows[3].total: NaN has no form in JSON`.
 */
export class NotJsonError extends Error {}

/**
 * A copy that shares nothing with the value. Members that are undefined are left out, holes in lists are null, and what
 * has a `toJSON` is what that gives. Throws `NotJsonError` for what JSON has no form for (NaN, a BigInt, a function, a
 * symbol, a Map, a Promise, bytes, something that contains itself), and for more than 16 million characters or 128
 * levels.
 */
export function plainJson(value: unknown): Json {
  return new Copy().of(value)
}

class Copy {
  readonly #path: (string | number)[] = []
  /** The objects around the one that is copied; too few for a set to be faster. */
  readonly #around: object[] = []
  #sizeLeft = MAX_SIZE

  of(value: unknown): Json {
    try {
      this.#spend(VALUE_SIZE)
      return this.#copy(value)
    } catch (thrown) {
      if (thrown instanceof NotJsonError) throw thrown
      throw new NotJsonError(this.#at(`it can't be read: ${textOfThrown(thrown)}`), { cause: thrown })
    }
  }

  /** Copies a value that is paid for but for its characters. */
  #copy(value: unknown): Json {
    switch (typeof value) {
      case 'string':
        this.#spend(value.length)
        return value
      case 'boolean':
        return value
      case 'number':
        if (!Number.isFinite(value)) throw this.#noForm(String(value))
        // JSON has no -0.
        return value + 0
      case 'object':
        return value === null ? null : this.#object(value)
      case 'undefined':
        throw this.#noForm('undefined')
      case 'bigint':
      case 'function':
      case 'symbol':
        throw this.#noForm(`a ${typeof value}`)
    }
  }

  #object(value: object): Json {
    if (this.#around.includes(value)) throw new NotJsonError(this.#at('it contains itself'))
    if (this.#around.length === MAX_DEPTH) throw new NotJsonError(this.#at(`it is deeper than ${MAX_DEPTH} levels`))
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw this.#noForm('a buffer of bytes')
    this.#around.push(value)
    const copy = this.#members(value)
    this.#around.pop()
    return copy
  }

  #members(value: object): Json {
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const json: unknown = value.toJSON(String(this.#path.at(-1) ?? ''))
      return typeof json === 'object' && json !== null ? this.#ownMembers(json) : this.#copy(json)
    }
    return this.#ownMembers(value)
  }

  #ownMembers(value: object): Json {
    // All members are paid for before the first is copied: what is far too large must not be copied up to the bound.
    if (Array.isArray(value)) {
      this.#spend(value.length * VALUE_SIZE)
      // Not by `map`, which leaves holes out.
      // Of its length at once: a list that grows has room for seventeen items as soon as it has one.
      const items = new Array<Json>(value.length)
      for (let index = 0; index < items.length; index++) items[index] = this.#member(index, value[index] ?? null)
      return items
    }
    const names = Object.keys(value)
    if (names.length === 0 && !isPlain(value)) throw this.#noForm(tagOf(value))
    this.#spend(names.length * VALUE_SIZE)
    const members: { [name: string]: Json } = {}
    for (const name of names) {
      const member: unknown = Reflect.get(value, name)
      if (member === undefined) continue
      this.#spend(name.length)
      const copy = this.#member(name, member)
      // An assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(members, name, { ...OWN, value: copy })
      else members[name] = copy
    }
    return members
  }

  #member(name: string | number, value: unknown): Json {
    this.#path.push(name)
    const copy = this.#copy(value)
    this.#path.pop()
    return copy
  }

  #spend(size: number): void {
    this.#sizeLeft -= size
    if (this.#sizeLeft < 0) throw new NotJsonError(`it is larger than ${MAX_SIZE / 1024 / 1024} million characters`)
  }

  #noForm(what: string): NotJsonError {
    const hint = what === 'a Promise' ? '; await it' : ''
    return new NotJsonError(this.#at(`${what} has no form in JSON${hint}`))
  }

  #at(what: string): string {
    const path = pathText(this.#path)
    return path === '' ? what : `${path}: ${what}`
  }
}

/** The names and places that lead to a value, as a person reads them: `rows[3].total`. Cut where it is long. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((step) => {
      const name = String(step)
      if (/^\d+$/.test(name)) return `[${name}]`
      return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name.slice(0, 60)}` : `[${JSON.stringify(name.slice(0, 60))}]`
    })
    .join('')
  return text.replace(/^\./, '').slice(0, 200)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** `a Map`, `a Promise`, `an Error`; the name of its class for an object of any other. */
function tagOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  const name = tag === 'Object' ? value.constructor.name : tag
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
}
