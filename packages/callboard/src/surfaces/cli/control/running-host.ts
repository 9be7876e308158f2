/** What a command is told of the host that it works through. */

export interface RunningHost {
  readonly pid: number
  /** When it began to serve, in milliseconds since the epoch. */
  readonly since: number
  readonly version: string
  /** Where its clients connect: a URL, or `stdio`. */
  readonly address: string
}

/** A host that has the control socket of the data folder, and serves another config than the command's. */
export interface OtherHost extends RunningHost {
  /** The config that it serves; absolute. */
  readonly config: string
}
