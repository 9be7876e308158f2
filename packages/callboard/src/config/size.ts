/** Reads sizes as a config writes them. */

const UNITS = { MB: 1024 ** 2, GB: 1024 ** 3 }
/** A number and a unit, without a sign. */
export const SIZE: RegExp = /^(\d{1,9}(?:\.\d{1,3})?)(MB|GB)$/

/** The size in whole bytes: `500MB`, `1.5GB`; undefined for anything else. An MB is 1024 times 1024 bytes. */
export function parseSize(written: string): number | undefined {
  const match = SIZE.exec(written)
  const unit = match?.[2]
  if (unit === undefined || !isUnit(unit)) return undefined
  return Math.round(Number(match?.[1]) * UNITS[unit])
}

function isUnit(text: string): text is keyof typeof UNITS {
  return Object.hasOwn(UNITS, text)
}
