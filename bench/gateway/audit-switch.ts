/** Switches the audit of a running host on and off by its config, so that what it costs shows in one process. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How long a host may take to go by another config, in milliseconds. */
const PATIENCE_MS = 10_000

export class AuditSwitch {
  readonly #file: string
  #isOn = true

  /** @param file the config of the host, in its data folder, with the audit on */
  constructor(file: string) {
    this.#file = file
  }

  /** Resolves when calls are recorded, or are no longer; `call` makes some, to see. */
  async turn(isOn: boolean, call: () => Promise<unknown>): Promise<void> {
    if (isOn === this.#isOn) return
    const { audit: _, ...config } = JSON.parse(readFileSync(this.#file, 'utf8'))
    writeFileSync(this.#file, JSON.stringify(isOn ? config : { ...config, audit: { keep: 0 } }))
    const deadline = performance.now() + PATIENCE_MS
    for (let grows = this.#isOn; grows !== isOn; ) {
      if (performance.now() > deadline) throw new Error(`no host goes by what ${this.#file} says of the audit`)
      const before = this.#bytes()
      await call()
      grows = this.#bytes() > before
    }
    this.#isOn = isOn
  }

  #bytes(): number {
    const folder = join(dirname(this.#file), 'audit')
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  }
}
