/** Sums and products of vectors, all of one type: several would make these loops ten times slower. */

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

export function addTo(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < vector.length; i++) sum[i] = (sum[i] ?? 0) + factor * (vector[i] ?? 0)
}
