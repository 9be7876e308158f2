/** What a config would start and contact, as rows for a person who decides whether to trust it. */
import type { LocatedConfig } from '../../config/locate-config.ts'

/** A longer one would push the others off the screen. */
const MAX_LENGTH = 400

export function intentRows({ runs, envFile }: Pick<LocatedConfig, 'runs' | 'envFile'>): readonly (readonly string[])[] {
  const rows = runs.map(({ id, verb, what }) => [id, verb, cut(what)])
  return envFile === undefined ? rows : [...rows, ['', 'reads', `variables from ${envFile}`]]
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length - MAX_LENGTH} characters more)` : text
}
