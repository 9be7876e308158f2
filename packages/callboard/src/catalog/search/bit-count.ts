/** Counts the bits of a number that are set. */

/** @param value of 32 bits */
export function bitCount(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
