/** Takes changes of the config's files over while a host serves. */
import { statSync } from 'node:fs'
import { configChange, isUnchanged } from '../../config/config-change.ts'
import { FileWatch } from '../../config/file-watch.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { ConfigReading } from './config-reading.ts'

/**
 * Reads the config again when one of its files changed, or when it is asked to, one reading after the other: what
 * changes during one is in the next. What becomes of it is told by the host. Whoever makes one disposes of it.
 */
export class ConfigReloads implements AsyncDisposable {
  readonly #host: Host
  readonly #reading: ConfigReading
  readonly #watch = new FileWatch(() => void this.#reload())
  readonly #stopAsking: () => void
  /** The files of the config that is in effect. */
  #files: ReadonlySet<string> = new Set()
  #isFirst = true
  #isDue = false
  #isDisposed = false
  #running: Promise<void> | undefined

  constructor(host: Host, reading: ConfigReading) {
    this.#host = host
    this.#reading = reading
    this.#stopAsking = reading.onAsked(() => void this.#reload())
  }

  /**
   * Begins to follow the files, which takes one reading: what changed since the host was opened is taken over at once.
   */
  async start(): Promise<void> {
    const { file } = this.#host.config
    // What came through a pipe is never another, and is not there a second time.
    if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === false) return
    await this.#reload()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#stopAsking()
    this.#watch[Symbol.dispose]()
    await this.#running
  }

  #reload(): Promise<void> {
    this.#isDue = true
    this.#running ??= this.#readWhileDue().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #readWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isDisposed) {
      this.#isDue = false
      await this.#read()
    }
  }

  /** Never rejects: what is wrong with the config is the host's to tell. */
  async #read(): Promise<void> {
    const files = new Set<string>()
    try {
      checkFile(this.#host.config.file)
      const config = await this.#reading.read((file) => {
        files.add(file)
        if (!this.#isDisposed) this.#watch.add(file)
      })
      if (this.#isDisposed) return
      const isSame = isUnchanged(configChange(this.#host.config, config))
      if (!(this.#isFirst && isSame)) this.#host.reconfigure(config)
      this.#files = files
    } catch (error) {
      this.#host.refuseConfig(messageOf(error))
    }
    this.#isFirst = false
    // After a refusal also the files of the config that stays, since going back to it is a way to mend the other.
    this.#watch.retain(new Set([...this.#files, ...files]))
  }
}

/** Refuses what reads as a config without any plugin, and is none. */
function checkFile(file: string | undefined): void {
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isFile())
    throw new CallboardError(
      'config',
      `${file}: it was no file, so it can't be read again; restart to change the config`,
    )
  if (stats.size === 0)
    throw new CallboardError(
      'config',
      `${file}: it is empty, as it is while something writes it; write \`plugins: {}\` to have none`,
    )
}
