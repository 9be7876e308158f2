/** Refuses what a registry sends if it is not what the vectors were made of. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** @param integrity as npm writes it: `sha512-` or `sha256-` and base64 */
export function checkIntact(file: string, integrity: string): void {
  const algorithm = integrity.slice(0, integrity.indexOf('-'))
  sameIntegrity(file, `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`, integrity)
}

/** Throws where they differ. */
export function sameIntegrity(what: string, found: string | undefined, wanted: string): void {
  if (found !== wanted) throw new Error(`${what} is ${found ?? 'of no known integrity'}, not ${wanted}`)
}
