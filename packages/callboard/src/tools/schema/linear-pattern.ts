/** Regular expressions of unknown origin, matched in time linear in the text. */
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'

/** A longer source is nobody's honest pattern, and parsing takes time before its size is known. */
const MAX_SOURCE = 1_000
/** Instructions of one program at most; a thousand take about 4 ms to compile. */
const MAX_SIZE = 2_500
/** Characters matched until the states that the engine remembers (up to 8 MB) are given back. */
const FORGET_AFTER = 8_192

/** ECMAScript's white space, which is more than RE2's `\s`, and everything else. */
const SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const NO_LINE_END = '[^\\x{a}\\x{d}\\x{2028}\\x{2029}]'
const ANYTHING = '[\\x{0}-\\x{10ffff}]'
/** No text has a character before its beginning. */
const NOTHING = '[^\\x{0}-\\x{10ffff}]'

/** One pattern, ready to match. */
export interface LinearPattern {
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean
  /** Instructions of its program: a match takes at most about `size` × characters × 5 ns. */
  readonly size: number
}

/**
 * Compiles an ECMAScript pattern for RE2's engine, which knows no backtracking. Throws, in words, for what such an
 * engine can't do (lookaround, backreferences), for what is no pattern, and for a program of more than `maxSize`
 * instructions.
 */
export function compileLinearPattern(source: string, maxSize: number = MAX_SIZE): LinearPattern {
  if (source.length > MAX_SOURCE) throw new Error(`it is longer than ${MAX_SOURCE} characters`)
  const { text, size } = translate(parse(source))
  if (size > Math.min(maxSize, MAX_SIZE)) throw new Error('its repetitions, or all patterns together, are too big')
  const engine = RE2JS.compile(text)
  let matched = 0
  return {
    size,
    test(input: string): boolean {
      matched += input.length
      if (matched > FORGET_AFTER) {
        engine.reset()
        matched = input.length
      }
      return engine.test(input)
    },
  }
}

/** With the `u` flag as JSON Schema wants it, else without, since many patterns escape more than that flag allows. */
function parse(source: string): AST.Pattern {
  const parser = new RegExpParser({ ecmaVersion: 2024 })
  try {
    return parser.parsePattern(source, undefined, undefined, { unicode: true })
  } catch {
    return parser.parsePattern(source, undefined, undefined, { unicode: false })
  }
}

/** A piece of a pattern in RE2's syntax, and about how many instructions it takes. */
interface Piece {
  readonly text: string
  readonly size: number
}

function translate(node: { readonly alternatives: readonly AST.Alternative[] }): Piece {
  const alternatives = node.alternatives.map((alternative) => alternative.elements.map(element))
  return {
    text: alternatives.map((pieces) => pieces.map((piece) => piece.text).join('')).join('|'),
    size: alternatives.flat().reduce((sum, piece) => sum + piece.size, alternatives.length),
  }
}

function element(node: AST.Element): Piece {
  switch (node.type) {
    case 'Group':
      if (node.modifiers !== null) throw new Error('it changes flags')
      return grouped(translate(node))
    case 'CapturingGroup':
      return grouped(translate(node))
    case 'Quantifier':
      return quantified(node)
    case 'CharacterClass':
      return characterClass(node)
    case 'CharacterSet':
      return { text: node.kind === 'any' ? NO_LINE_END : `[${characterSet(node)}]`, size: sizeOf(node) }
    case 'Character':
      return { text: character(node), size: 1 }
    case 'Assertion':
      return { text: assertion(node), size: 1 }
    case 'Backreference':
      throw new Error('it has a backreference')
    case 'ExpressionCharacterClass':
      throw new Error('it computes with classes')
    default:
      return node satisfies never
  }
}

function grouped(piece: Piece): Piece {
  return { text: `(?:${piece.text})`, size: piece.size }
}

function quantified(node: AST.Quantifier): Piece {
  const piece = element(node.element)
  const unbounded = node.max === Number.POSITIVE_INFINITY
  const times = unbounded ? node.min + 1 : node.max
  return {
    text: `(?:${piece.text}){${node.min},${unbounded ? '' : node.max}}`,
    size: (piece.size + 1) * Math.max(times, 1),
  }
}

function characterClass(node: AST.CharacterClass): Piece {
  const ranges = node.elements.map((part) => {
    switch (part.type) {
      case 'Character':
        return character(part)
      case 'CharacterClassRange':
        return `${character(part.min)}-${character(part.max)}`
      case 'CharacterSet':
        return characterSet(part)
      case 'CharacterClass':
      case 'ClassStringDisjunction':
      case 'ExpressionCharacterClass':
        throw new Error('it computes with classes')
      default:
        return part satisfies never
    }
  })
  const size = node.elements.reduce((sum, part) => sum + (part.type === 'CharacterSet' ? sizeOf(part) : 0), 1)
  if (ranges.length === 0) return { text: node.negate ? ANYTHING : NOTHING, size }
  return { text: `[${node.negate ? '^' : ''}${ranges.join('')}]`, size }
}

/** What stands for a set inside brackets. */
function characterSet(node: AST.CharacterSet): string {
  switch (node.kind) {
    case 'digit':
      return node.negate ? '\\D' : '\\d'
    case 'word':
      return node.negate ? '\\W' : '\\w'
    case 'space':
      return node.negate ? NO_SPACE : SPACE
    case 'property':
      if (node.key !== 'General_Category' && node.key !== 'Script') throw new Error(`it uses \\p{${node.key}}`)
      return `\\${node.negate ? 'P' : 'p'}{${node.value}}`
    case 'any':
      return '\\x{0}-\\x{9}\\x{b}\\x{c}\\x{e}-\\x{2027}\\x{202a}-\\x{10ffff}'
    default:
      return node satisfies never
  }
}

/** A Unicode property stands for hundreds of ranges and takes as long to compile as some thirty instructions. */
function sizeOf(set: AST.CharacterSet): number {
  return set.kind === 'property' ? 30 : 1
}

function character(node: AST.Character): string {
  if (node.value >= 0xd800 && node.value <= 0xdfff) throw new Error('it has half a surrogate pair')
  return `\\x{${node.value.toString(16)}}`
}

function assertion(node: AST.Assertion): string {
  switch (node.kind) {
    case 'start':
      return '\\A'
    case 'end':
      return '\\z'
    case 'word':
      // The engine finds a \B inside of a surrogate pair, where the language has no place for one.
      if (node.negate) throw new Error('it uses \\B')
      return '\\b'
    case 'lookahead':
    case 'lookbehind':
      throw new Error('it looks around')
    default:
      return node satisfies never
  }
}
