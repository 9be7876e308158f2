/**
 * Finds what in a document, by itself and whatever it is for, means one thing here and another elsewhere, or nothing at
 * all.
 */
import { pathText, type SourceNode, type SourcePath } from '../source-node.ts'
import type { Findings } from './findings.ts'

/** Names that reach what every object inherits. */
const RESERVED_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Plain text that readers of YAML 1.1 take for true or false. */
const BOOLEAN_WORD = /^(?:yes|no|on|off)$/i
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt \t][\d:.Zz +-]*)?$/
/** 12:30 is 750 there, and 1_000 is a thousand. */
const SEXAGESIMAL = /^[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?$/
const GROUPED = /^[-+]?\d[\d_]*$/
/** Eight there, ten here. */
const OCTAL = /^[-+]?0\d+$/
/** Nothing that is taken for something else is longer. */
const MAX_AMBIGUOUS = 40

const INTEGER = /^[-+]?\d+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text must not have
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Whether a name reaches what every object inherits, so that code that is careless with it can be led astray. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.includes(name)
}

export interface TreeCheck {
  readonly text: string
  readonly findings: Findings
  /** Keys of the uppermost mapping whose values are not looked into. */
  readonly skipped: ReadonlySet<string>
}

/** Checks a node and everything in it. */
export function checkTree(node: SourceNode, path: SourcePath, check: TreeCheck): void {
  if (node.kind === 'scalar') checkScalar(node, path, check)
  else if (node.kind === 'list') for (const [at, item] of node.items.entries()) checkTree(item, [...path, at], check)
  else checkMap(node, path, check)
}

function checkMap(node: SourceNode & { kind: 'map' }, path: SourcePath, check: TreeCheck): void {
  const { text, findings, skipped } = check
  const seen = new Map<string, number>()
  for (const { key, keyStart, value } of node.entries) {
    const here = [...path, key]
    const first = seen.get(key)
    if (first !== undefined)
      findings.add(
        'yaml.duplicate',
        keyStart,
        `${pathText(here)}: this key stands twice (first on line ${findings.lineOf(first)}); remove one`,
      )
    else seen.set(key, keyStart)
    if (key === '<<')
      findings.add('yaml.merge', keyStart, `${pathText(here)}: merge keys are not read here; write the keys out`)
    if (isReservedName(key))
      findings.add('names.reserved', keyStart, `${pathText(here)}: this cannot be a key; choose another name`)
    if (text.startsWith(key, keyStart) && isAmbiguous(key)) tellAmbiguous(here, keyStart, findings)
    if (path.length > 0 || !skipped.has(key)) checkTree(value, here, check)
  }
}

function checkScalar(node: SourceNode & { kind: 'scalar' }, path: SourcePath, { text, findings }: TreeCheck): void {
  const { value, start, end } = node
  const written = text.slice(start, end)
  if (typeof value === 'number') checkNumber(value, written, () => pathText(path), { findings, start })
  if (typeof value !== 'string') return
  if (CONTROL.test(value) || !value.isWellFormed())
    findings.add(
      'text.characters',
      start,
      `${pathText(path)}: a control character or half a character in a text; take it out`,
    )
  // Quotes, and the signs of a block, are no part of the value.
  if (written === value && isAmbiguous(value)) tellAmbiguous(path, start, findings)
}

function tellAmbiguous(path: SourcePath, offset: number, findings: Findings): void {
  findings.add(
    'yaml.ambiguous',
    offset,
    `${pathText(path)}: text here, but other readers of YAML take it for a date, a number, true or false; put it in quotes`,
  )
}

function isAmbiguous(value: string): boolean {
  if (value.length > MAX_AMBIGUOUS) return false
  return BOOLEAN_WORD.test(value) || DATE.test(value) || SEXAGESIMAL.test(value) || GROUPED.test(value)
}

function checkNumber(
  value: number,
  written: string,
  place: () => string,
  { findings, start }: { readonly findings: Findings; readonly start: number },
): void {
  if (!Number.isFinite(value) || (INTEGER.test(written) && !Number.isSafeInteger(value)))
    findings.add('yaml.number', start, `${place()}: JSON cannot carry this number as it is; put it in quotes`)
  else if (OCTAL.test(written))
    findings.add(
      'yaml.ambiguous',
      start,
      `${place()}: ${value} here, but other readers of YAML count in eights after a zero; write ${value}`,
    )
}
