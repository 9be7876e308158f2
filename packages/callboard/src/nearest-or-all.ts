/** What ends an error that names what is not there: the name that may have been meant, else which there are. */
import { closestName } from './closest-name.ts'

/** `did you mean "a"?`, or `there are a, b`, in the order in which they come; a config has other quotes around names. */
export function nearestOrAll(name: string, names: readonly string[], quote: '"' | '`' = '"'): string {
  const near = closestName(name, names)
  if (near !== undefined) return `did you mean ${quote}${near}${quote}?`
  return names.length === 1 ? `there is ${names[0]}` : `there are ${names.join(', ') || 'none'}`
}
