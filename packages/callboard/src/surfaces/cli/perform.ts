/** What a command asks for besides its own work, and how that is run. */
import type { CallboardError } from '../../errors.ts'
import type { CommandContext } from './command-context.ts'
import type { GlobalOptions } from './global-options.ts'

/** Where HTTP listens. */
export interface ListenAddress {
  /** An IPv6 address without brackets. */
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
}

/** What a command asks for besides its own work. */
export interface CommandOptions extends GlobalOptions {
  /** Instead of the address in the config. */
  readonly listen?: ListenAddress
  /** It has a host of its own whatever else runs: it serves, or reads what would only take a serving host's time. */
  readonly alone?: boolean
  /** Standard input is a client's, so nobody can be asked. */
  readonly unattended?: boolean
  /** Told why the acting user may not use the command line, before the command ends for that. */
  readonly onRefuse?: (context: CommandContext, why: CallboardError) => Promise<void>
}

/** Runs the work of one command: in the host that serves already, or between opening one and closing it. */
export type Perform = (options: CommandOptions, work: (context: CommandContext) => Promise<number>) => Promise<void>
