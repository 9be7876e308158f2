/** Says that something is no longer there. */
import { type CommandContext, writeJson } from '../command-context.ts'
import { oneLine } from './plain-text.ts'

/** Returns the exit code of a command that has removed it. */
export function writeRemoval(context: CommandContext, name: string): number {
  if (context.json) writeJson(context, { removed: name })
  else context.terminal.stdout.write(`${oneLine(name)} is removed\n`)
  return 0
}
