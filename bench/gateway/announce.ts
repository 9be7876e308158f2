/** Lets a proxy of the benchmark listen on a free port and tell its parent process which. */
import type { Server } from 'node:http'

/** What the parent process is told. */
export interface Announcement {
  readonly port: number
}

export function announce(server: Server): void {
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('listening on no port')
    process.send?.({ port: address.port } satisfies Announcement)
  })
  // Without its parent it has nothing to do; its own stdio server ends with its input.
  process.on('disconnect', () => process.exit(0))
}
