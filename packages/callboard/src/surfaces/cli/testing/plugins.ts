/**
 * The plugins of the command line's tests: one that is known, one that is not known before it is started, one that
 * can't be.
 */
import type { DoublePlugin } from './host-double.ts'
import { type RunOptions, type RunResult, runDouble } from './run-double.ts'

export const GITHUB: DoublePlugin = {
  id: 'github',
  tools: [
    {
      name: 'create_issue',
      title: 'Create issue',
      description: 'Opens an issue.\nWith a second line.',
      inputSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'What it is about' },
          dry_run: { type: 'boolean', default: false },
          labels: { type: 'array', items: { type: 'string' } },
          json: { type: 'object' },
        },
        required: ['title'],
      },
    },
    { name: 'close_issue', description: 'Closes an issue.', destructive: true },
  ],
}
export const FILES: DoublePlugin = {
  id: 'files',
  tools: [{ name: 'read', description: 'Reads a file.' }],
  unknown: true,
}
export const BROKEN: DoublePlugin = { id: 'broken', tools: [], broken: 'command "nope" was not found' }
/** Switched off in the config. */
export const OFF: DoublePlugin = { id: 'off', tools: [], disabled: true }
export const PLUGINS: readonly DoublePlugin[] = [GITHUB, FILES]

/** Runs a command, its words divided by spaces, against a host with these plugins. */
export function run(line: string, options: RunOptions = {}): Promise<RunResult> {
  return runDouble(line.split(' '), { plugins: PLUGINS, ...options })
}
