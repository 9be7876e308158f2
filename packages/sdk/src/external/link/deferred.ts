/** A promise and the two ways to settle it, for who waits for what another one does. */

export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** Its rejection is no unhandled one: whoever waits for it hears of it. */
export function deferred<T>(): Deferred<T> {
  const made: Deferred<T> = Promise.withResolvers<T>()
  made.promise.catch(() => {})
  return made
}
