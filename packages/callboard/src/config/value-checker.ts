/** Checks parts of a config against their schemas and puts what is wrong at its place in the file. */
import type { z } from 'zod'
import type { ConfigSource } from './config-source.ts'
import { explainIssue, type Finding } from './explain-issue.ts'
import { keyStartOf, pathText, type SourcePath, startOf } from './source-node.ts'

export class ValueChecker {
  readonly #source: ConfigSource
  readonly #values: Readonly<Record<string, unknown>>

  constructor(source: ConfigSource, values: Readonly<Record<string, unknown>>) {
    this.#source = source
    this.#values = values
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
      for (const finding of explainIssue(issue, this.#values, path)) this.report(finding)
    }
    return undefined
  }

  /** Adds a problem with the value at `path`. */
  refuse(path: SourcePath, message: () => string): void {
    this.report({ path, at: 'value', message: () => `${pathText(path)}: ${message()}` })
  }

  /** Adds a problem with the last key of `path`. */
  refuseKey(path: SourcePath, message: () => string): void {
    this.report({ path, at: 'key', message: () => `${pathText(path)}: ${message()}` })
  }

  report({ path, at, message }: Finding): void {
    const { root, problems } = this.#source
    problems.add(at === 'key' ? keyStartOf(root, path) : startOf(root, path), message)
  }
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.map(String).join('\0')
}
