/** Says why a command could not be started, and how that is mended. */
import { existsSync, statSync } from 'node:fs'
import { messageOf } from '../../errors.ts'
import type { ProcessCommand } from './process-group.ts'

/** In words, for what `ProcessGroup` threw or its `started` rejected with. */
export function whyNotStarted(error: unknown, { command, cwd, env }: ProcessCommand): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // ENOTDIR: a file stands where a folder should.
  if (code === 'ENOENT' || code === 'ENOTDIR') return whatIsMissing(command, cwd, env.PATH)
  if (code === 'EACCES') return `the command "${command}" may not be executed; check its permissions (chmod +x)`
  return `the command "${command}" could not be started: ${messageOf(error)}`
}

function whatIsMissing(command: string, cwd: string, path: string | undefined): string {
  if (!existsSync(cwd)) return `the folder "${cwd}" does not exist; correct "cwd" in the config`
  if (!statSync(cwd).isDirectory()) return `"${cwd}" is not a folder; correct "cwd" in the config`
  if (/[\\/]/.test(command)) return `the command "${command}" does not exist; correct the path in the config`
  if (/\s/.test(command))
    return `the command "${command}" was not found; put what follows the first word into "args", one text each`
  if (path !== undefined)
    return `the command "${command}" was not found on the PATH that "env" sets ("${path}"); correct it, or give its full path`
  return `the command "${command}" was not found on the PATH; install it, or give its full path in the config`
}
