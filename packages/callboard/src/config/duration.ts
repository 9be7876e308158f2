/** Reads durations as a config writes them. */

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Timers of Node fire at once beyond this many milliseconds (a bit under 25 days). */
export const MAX_TIMER_MS: number = 2 ** 31 - 1
/** A number and a unit, without a sign. */
export const DURATION: RegExp = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/

/**
 * The duration in whole milliseconds: `500ms`, `60s`, `1.5m`, `2h`, `30d`, or a number of milliseconds; undefined for
 * anything else.
 */
export function parseDuration(written: string | number): number | undefined {
  if (typeof written === 'number') return Number.isFinite(written) && written >= 0 ? Math.round(written) : undefined
  const match = DURATION.exec(written)
  const unit = match?.[2]
  if (unit === undefined || !isUnit(unit)) return undefined
  return Math.round(Number(match?.[1]) * UNITS[unit])
}

function isUnit(text: string): text is keyof typeof UNITS {
  return Object.hasOwn(UNITS, text)
}
