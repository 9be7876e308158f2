/** Makes a folder with those that it lies in. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Each with mode 0700; those that are there stay as they are. Throws what the file system says. One by one, since
 * Node's own `recursive` never ends where a folder can't be made for a reason that reads like a missing parent, as in
 * `/proc`.
 */
export function makeFolder(path: string): void {
  if (isMade(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  if (!isMade(path)) mkdirSync(path, { mode: 0o700 })
}

/** False where a folder that it would lie in is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return false
    const there = statSync(path, { throwIfNoEntry: false })
    if (there === undefined) throw error
    if (!there.isDirectory()) throw new Error(`"${path}" is no folder`, { cause: error })
    return true
  }
}
