/** Checks parts of a config against their schemas and puts what is wrong at its place in the file. */
import type { z } from 'zod'
import { configSchema } from './config-schema.ts'
import type { ConfigSource } from './config-source.ts'
import { explainIssue, type PlacedFault, unknownKey } from './explain-issue.ts'
import { knownKeys } from './known-keys.ts'
import { keyStartOf, pathText, type SourcePath, startOf } from './source-node.ts'

export class ValueChecker {
  readonly #source: ConfigSource

  constructor(source: ConfigSource) {
    this.#source = source
  }

  /** The parsed value at `path`, or undefined after its faults were added to the problems. */
  check<Value>(schema: z.ZodType<Value>, path: SourcePath, value: unknown): Value | undefined {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const { issues } = result.error
    const slips = new Set(issues.filter((issue) => issue.code === 'unrecognized_keys').map((issue) => pathOf(issue)))
    for (const issue of issues) {
      // What a mapping lacks is most likely what its misspelt key was meant to be.
      if (issue.code === 'custom' && slips.has(pathOf(issue))) continue
      for (const finding of explainIssue(issue, { path, value, knownKeys: keysAt })) this.#report(finding)
    }
    return undefined
  }

  /** Adds a problem with the value at `path`. */
  refuse(path: SourcePath, message: () => string): void {
    this.#report({ path, at: 'value', message: () => `${pathText(path)}: ${message()}` })
  }

  /** Adds a problem with the last key of `path`. */
  refuseKey(path: SourcePath, message: () => string): void {
    this.#report({ path, at: 'key', message: () => `${pathText(path)}: ${message()}` })
  }

  /** Adds a problem with the last key of `path`, which nothing knows there. */
  refuseUnknownKey(path: SourcePath): void {
    this.#report(unknownKey(path, keysAt(path.slice(0, -1))))
  }

  #report({ path, at, message }: PlacedFault): void {
    const { root, problems } = this.#source
    problems.add(at === 'key' ? keyStartOf(root, path) : startOf(root, path), message)
  }
}

function keysAt(path: SourcePath): readonly string[] {
  return knownKeys(configSchema, path)
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.map(String).join('\0')
}
