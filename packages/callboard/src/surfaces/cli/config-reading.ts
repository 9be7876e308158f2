/** How a command that goes on reads its config again. */
import type { Config } from '../../config/config.ts'

export interface ConfigReading {
  /**
   * Reads the config that the host was opened with, with the options of the same command. `opened` is told of each file
   * before it is read. Throws `config` with everything that is wrong.
   */
  read(opened: (file: string) => void): Promise<Config>
  /** Calls `listener` when somebody asks the process to read it again (SIGHUP). Returns the way to stop that. */
  onAsked(listener: () => void): () => void
}
