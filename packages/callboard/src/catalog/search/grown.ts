/** Arrays of numbers that grow. */

type Numbers = Uint8Array | Uint32Array | Float32Array

/**
 * The array itself where it has room for so many numbers, else one with room for half as many again that begins with
 * the same.
 */
export function grown<T extends Numbers>(array: T, length: number, make: (length: number) => T): T {
  if (array.length >= length) return array
  const larger = make(Math.max(length, array.length + (array.length >> 1), 64))
  larger.set(array)
  return larger
}

/** Three kinds of arrays for `grown` to make, of zeros. */
export const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length)
export const integers = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length)
export const floats = (length: number): Float32Array<ArrayBuffer> => new Float32Array(length)

/**
 * A page of numbers that stays. It is shared memory, though nobody shares it: V8 collects all garbage anew for every
 * few dozen megabytes of other array buffers, which took half of the time that a million tools take to be read.
 */
export function page(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))
}
