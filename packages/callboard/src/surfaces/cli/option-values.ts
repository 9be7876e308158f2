/** How the values of options are read. */
import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../../config/duration.ts'

/** Reads a whole number, 0 or more. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('it must be a whole number, 0 or more')
}

/** Reads a duration, in milliseconds. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError('it must be a duration, such as 30m, 2h or 7d')
  return milliseconds
}

/** Gathers an option that may be given several times. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
