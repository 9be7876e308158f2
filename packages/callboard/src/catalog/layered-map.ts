/** An immutable map whose successor costs as much as what changed, not as much as what it holds. */

/**
 * Changes are kept as layers over each other, newest last. A layer is merged into the one below as soon as it is at
 * least half as large, so there are only as many layers as the size has binary digits, and each key is copied about as
 * often.
 */
export class LayeredMap<V> {
  readonly #layers: readonly ReadonlyMap<string, V | undefined>[]

  private constructor(layers: readonly ReadonlyMap<string, V | undefined>[]) {
    this.#layers = layers
  }

  static empty<V>(): LayeredMap<V> {
    return new LayeredMap<V>([])
  }

  get(key: string): V | undefined {
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const layer = this.#layers[i]
      const value = layer?.get(key)
      if (value !== undefined || layer?.has(key)) return value
    }
    return undefined
  }

  /** The map after `changes`: a key with a value is set, a key with `undefined` is gone. This map stays as it is. */
  with(changes: ReadonlyMap<string, V | undefined>): LayeredMap<V> {
    if (changes.size === 0) return this
    const layers = [...this.#layers]
    let top = changes
    for (let below = layers.at(-1); below && below.size < 2 * top.size; below = layers.at(-1)) {
      top = new Map([...below, ...top])
      layers.pop()
    }
    // Below the lowest layer there is nothing for a removal to hide.
    const settled = layers.length === 0 ? new Map([...top].filter(([, value]) => value !== undefined)) : new Map(top)
    return new LayeredMap([...layers, settled])
  }
}
