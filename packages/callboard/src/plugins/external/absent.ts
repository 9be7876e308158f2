/** Tells that a file is not there from everything else that may be wrong with it. */

/** For `catch`: undefined where there is no such file or folder; throws every other error. */
export function absent(error: unknown): undefined {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  throw error
}

/** The code of an error of the system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
