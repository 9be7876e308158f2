/** Decides whether a command runs in the host that serves its config already, or in its own process. */
import { realpathSync } from 'node:fs'
import type { LocatedConfig } from '../../../config/locate-config.ts'
import { messageOf } from '../../../errors.ts'
import { findHost } from './find-host.ts'
import { type Hello, PROTOCOL } from './messages.ts'
import { runThroughHost, type ThroughHostOptions } from './run-through-host.ts'
import type { OtherHost } from './running-host.ts'

export interface RunningHostOptions extends ThroughHostOptions {
  readonly located: Pick<LocatedConfig, 'file' | 'dataDir'>
  /** The version of this command. */
  readonly version: string
  /** Told why a host that is there is not used. */
  readonly warn: (message: string) => void
}

/**
 * The exit code of the words, run in the host of this config; the host that has the socket for another config;
 * undefined when there is none. Then the command has to see to itself. A host of another version, or one that does not
 * answer, is left alone with a warning.
 */
export async function throughRunningHost(
  words: readonly string[],
  options: RunningHostOptions,
): Promise<number | OtherHost | undefined> {
  const { located, version, warn, signal } = options
  const found = await findHost(located.dataDir, { signal })
  if (found.kind === 'none') return undefined
  if (found.kind === 'silent') {
    warn(
      `the host that has ${located.dataDir} ${found.why}, so the command runs without it; if it hangs, end it and start it again`,
    )
    return undefined
  }
  const { hello, socket } = found
  if (!isSameFile(hello.config, located.file)) {
    // Two configs may share a data folder, and only one of their hosts has the socket.
    socket.destroy()
    return hello
  }
  if (hello.version !== version || hello.protocol !== PROTOCOL) {
    socket.destroy()
    warn(otherVersion(hello, version))
    return undefined
  }
  return runThroughHost(words, found, options)
}

function otherVersion({ pid, version }: Hello, own: string): string {
  return `the running host (process ${pid}) is callboard ${version} and this is ${own}, so the command runs without it; restart the host to work through it`
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true
  try {
    return realpathSync(one) === realpathSync(other)
  } catch (error) {
    // A file that has gone since is not the one that is there.
    if (messageOf(error).startsWith('ENOENT')) return false
    throw error
  }
}
