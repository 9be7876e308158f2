/** Users, roles and tokens of a host, kept as the config and the store have them at each moment. */
import type { Config } from '../config/config.ts'
import { messageOf } from '../errors.ts'
import type { RoleGate } from '../gate/role-gate.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { HostPeople } from './people.ts'
import { HostTokens } from './tokens.ts'

/** How often it looks for what other processes have changed in the store, in milliseconds. */
const LOOK_MS = 1_000

export interface MembersOptions {
  readonly store: Pick<Store, 'people' | 'tokens'>
  readonly config: Config
  readonly log: Log
  /** Told after anything changed; `rights` when users or roles did. */
  readonly onChange: (what: 'rights' | 'tokens') => void
}

export class Members implements Disposable {
  readonly people: HostPeople
  readonly tokens: HostTokens
  readonly #log: Log
  #looking: NodeJS.Timeout | undefined
  /** Whether it could not look the last time. */
  #isBlind = false

  constructor({ store, config, log, onChange }: MembersOptions) {
    this.#log = log
    this.people = new HostPeople({
      store: store.people,
      config,
      onChange: () => onChange('rights'),
      onRemove: (user) => this.tokens.removeOf(user),
    })
    this.tokens = new HostTokens({ store: store.tokens, people: this.people, onChange: () => onChange('tokens') })
  }

  /** Decides by what is known of users and roles now; another one after a change of rights. */
  get gate(): RoleGate {
    return this.people.gate
  }

  /** Begins to follow what other processes change, until it is disposed of. */
  follow(): void {
    this.#looking = setInterval(() => this.#look(), LOOK_MS)
    this.#looking.unref()
  }

  /** What a person should mend, one sentence each; of tokens only where they let somebody in, over HTTP. */
  reports({ http }: Config, isHttpServed: boolean): readonly string[] {
    const reports = this.people.reports()
    if (!isHttpServed || http.auth === 'none' || this.tokens.all().some(({ id }) => this.tokens.isGood(id)))
      return reports
    return [
      ...reports,
      '`http.auth` is `tokens`, and no token lets anybody in over HTTP; make one with, for example: callboard tokens create laptop --for owner',
    ]
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking)
  }

  /** A store that can't be read is told once, and what is known stays. */
  #look(): void {
    try {
      this.people.refresh()
      this.#isBlind = false
    } catch (error) {
      if (!this.#isBlind) this.#log.error({ reason: messageOf(error) }, 'changes of users and roles are not seen')
      this.#isBlind = true
    }
  }
}
