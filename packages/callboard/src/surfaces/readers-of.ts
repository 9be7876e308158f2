/** The readers of a host: one count for all of its surfaces, since they share one memory. */
import type { Host } from '../host.ts'
import { Readers } from './readers.ts'

const READERS = new WeakMap<Host, Readers>()

/** The same for each surface of a host. */
export function readersOf(host: Host): Readers {
  const known = READERS.get(host)
  if (known !== undefined) return known
  const readers = new Readers(host.log)
  READERS.set(host, readers)
  return readers
}
