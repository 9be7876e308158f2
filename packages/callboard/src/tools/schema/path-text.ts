/** Writes where something stands in a value. */
import { cut, describeValue } from './describe-schema.ts'

const MAX_LENGTH = 200

/** `a.b[0]["x y"]` for the names on the way to it; what is long is cut. */
export function pathText(names: readonly string[]): string {
  const path = names
    .map((name) => {
      if (/^\d+$/.test(name)) return `[${name}]`
      return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${cut(name)}` : `[${describeValue(name)}]`
    })
    .join('')
  return cut(path.startsWith('.') ? path.slice(1) : path, MAX_LENGTH)
}
