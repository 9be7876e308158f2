/** `callboard audit`: shows what was recorded of calls, the newest last, and follows what is to come. */
import { setTimeout as delay } from 'node:timers/promises'
import { SURFACES } from '../../../catalog/is-offered.ts'
import type { AuditQuery } from '../../../host/read-audit.ts'
import type { AuditRow } from '../../../store/audit-store.ts'
import { type CommandContext, requireOwner, warn } from '../command-context.ts'
import { localTime } from '../output/local-time.ts'
import { writeTable } from '../output/table.ts'

/** How much may wait for a slow reader, in bytes, before more is read from the audit. */
const MOST_WAITING = 1024 * 1024
const WAIT_MS = 10

const HEADS = ['TIME', 'USER', 'SURFACE', 'OUTCOME', 'MS', 'IN', 'OUT', 'TOOL', 'MORE']

export interface AuditOptions {
  /** The user whose calls are shown. */
  readonly by?: string
  /** A namespaced or public name. */
  readonly tool?: string
  readonly plugin?: string
  readonly outcome?: string
  readonly surface?: string
  /** Milliseconds before now. */
  readonly since?: number
  /** 0: all. */
  readonly limit: number
  readonly follow?: boolean
}

/** The audit speaks of every user, so it is the owner's alone. */
export async function audit(context: CommandContext, options: AuditOptions): Promise<number> {
  requireOwner(context)
  const output = options.follow ? new Lines(context) : context.json ? new Document(context) : new Table(context)
  if (context.host.config.audit.keepMs === 0) warn(context, 'calls are not recorded: audit.keep is 0 in the config')
  let unreadable = 0
  for await (const batch of context.host.audit(await queryOf(context, options))) {
    unreadable += batch.unreadable
    output.write(batch.rows)
    while (context.terminal.stdout.waiting > MOST_WAITING && !context.signal.aborted) await delay(WAIT_MS)
  }
  output.end()
  if (unreadable > 0) warn(context, `${unreadable} lines of the audit can't be read, and are left out`)
  return 0
}

/**
 * By which name the rows have a tool, which any surface may have. One that is gone is still found by its namespaced
 * name.
 */
async function recordedName({ host, user }: CommandContext, name: string): Promise<string> {
  for (const surface of SURFACES) {
    const known = (await host.view(user, surface)).resolve(name)
    if (known !== undefined) return known.entry.namespacedName
  }
  return host.switches.all().find(({ kind, publicName }) => kind === 'tool' && publicName === name)?.name ?? name
}

async function queryOf(context: CommandContext, options: AuditOptions): Promise<AuditQuery> {
  const { by, tool, plugin, outcome, surface, since, limit, follow } = options
  const { signal } = context
  return {
    ...(by !== undefined && { user: by }),
    ...(tool !== undefined && { tool: await recordedName(context, tool) }),
    ...(plugin !== undefined && { plugin }),
    ...(outcome !== undefined && { outcome }),
    ...(surface !== undefined && { surface }),
    ...(since !== undefined && { since: Date.now() - since }),
    ...(limit > 0 && { limit }),
    ...(follow !== undefined && { follow }),
    signal,
  }
}

function cellsOf(row: AuditRow): readonly string[] {
  const more = [
    row.via === undefined ? '' : `via ${row.via}`,
    row.provider === undefined ? '' : `by ${row.provider}`,
    row.ai === undefined ? '' : aiText(row.ai),
    row.arguments ?? '',
  ]
  return [
    localTime(row.time),
    row.user,
    row.surface,
    row.outcome,
    row.durationMs.toFixed(row.durationMs < 10 ? 1 : 0),
    String(row.argumentsSize),
    row.resultSize === undefined ? '' : String(row.resultSize),
    row.tool,
    more.filter((part) => part !== '').join(' '),
  ]
}

/** `gpt-5, 11 + 7 tokens, stop` */
function aiText({ model, inputTokens, outputTokens, finishReason }: NonNullable<AuditRow['ai']>): string {
  const hasTokens = inputTokens !== undefined || outputTokens !== undefined
  const tokens = hasTokens ? `${inputTokens ?? '?'} + ${outputTokens ?? '?'} tokens` : undefined
  return `(${[model, tokens, finishReason].filter((part) => part !== undefined).join(', ')})`
}

/** With the time in ISO 8601. */
function jsonOf(row: AuditRow): string {
  return JSON.stringify({ ...row, time: new Date(row.time).toISOString() })
}

/** Rows as they come, for a reader who watches or a program that reads line by line. */
class Lines {
  readonly #context: CommandContext

  constructor(context: CommandContext) {
    this.#context = context
  }

  write(rows: readonly AuditRow[]): void {
    const { json, terminal } = this.#context
    if (!json) writeTable(terminal.stdout, rows.map(cellsOf), { cut: true })
    else if (rows.length > 0) terminal.stdout.write(`${rows.map(jsonOf).join('\n')}\n`)
  }

  end(): void {}
}

class Table {
  readonly #context: CommandContext
  #hasHead = false

  constructor(context: CommandContext) {
    this.#context = context
  }

  write(rows: readonly AuditRow[]): void {
    if (rows.length === 0) return
    const heads = this.#hasHead ? {} : { heads: HEADS }
    this.#hasHead = true
    writeTable(this.#context.terminal.stdout, rows.map(cellsOf), { ...heads, cut: true })
  }

  end(): void {}
}

/** One JSON document, written in pieces: it may be longer than a string can be. */
class Document {
  readonly #context: CommandContext
  #separator = '{"rows":['

  constructor(context: CommandContext) {
    this.#context = context
  }

  write(rows: readonly AuditRow[]): void {
    if (rows.length === 0) return
    this.#context.terminal.stdout.write(`${this.#separator}${rows.map(jsonOf).join(',')}`)
    this.#separator = ','
  }

  end(): void {
    const begun = this.#separator === ',' ? '' : this.#separator
    this.#context.terminal.stdout.write(`${begun}]}\n`)
  }
}
