/**
 * Everything there is to know of one tool, as text and as JSON: for `callboard show` and `callboard call TOOL --help`.
 */
import type { CatalogEntry, JsonSchema, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../../../catalog/catalog-tool.ts'
import { offersOf } from '../../../catalog/catalog-tool.ts'
import { listedName } from '../../../catalog/listed-name.ts'
import { callSchema } from '../../../catalog/provider-argument.ts'
import { printable } from '../../../printable.ts'
import { inputSchemaOf } from '../../../tools/arguments.ts'
import type { CommandContext } from '../command-context.ts'
import { type ToolFlag, toolFlags } from '../flags/tool-flags.ts'
import { oneLine } from '../output/plain-text.ts'
import { writeTable } from '../output/table.ts'

export interface ToolDetails {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
  /** Of all that a call may give, the provider too. */
  readonly inputSchema: JsonSchema
  /** The tool as each of its model providers serves it; empty where it needs none. */
  readonly offers: readonly CatalogTool[]
}

export function detailsOf(tool: CatalogTool): ToolDetails {
  const { entry, definition } = tool
  const offers = entry.providers.length === 0 ? [] : offersOf(tool)
  return { entry, definition, inputSchema: callSchema(tool), offers }
}

/** The hints of a tool that hold, in words. */
function hintsOf(definition: ToolDefinition): string {
  const hints = [
    definition.readOnly && 'reads only',
    definition.destructive && !definition.readOnly && 'may destroy',
    definition.idempotent && 'idempotent',
    definition.openWorld && 'reaches beyond this machine',
    definition.streaming && 'answers in pieces',
  ]
  return hints.filter((hint) => typeof hint === 'string').join(', ')
}

function flagNotes(flag: ToolFlag): string {
  const notes = [
    flag.required ? 'required' : '',
    flag.defaultValue === undefined ? '' : `default ${JSON.stringify(flag.defaultValue)}`,
  ].filter((note) => note !== '')
  return [notes.length === 0 ? '' : `(${notes.join(', ')})`, flag.description].join(' ')
}

function flagUsage(flag: ToolFlag): string {
  if (flag.flag.endsWith('=')) return `${flag.flag}${flag.value}`
  return flag.value === 'true|false' ? `${flag.flag}, --no-${flag.flag.slice(2)}` : `${flag.flag} ${flag.value}`
}

/** Writes the arguments of a tool as flags. */
function writeFlags({ terminal: { stdout } }: CommandContext, inputSchema: JsonSchema): void {
  const flags = toolFlags(inputSchema).all
  stdout.write(flags.length === 0 ? '\nNo arguments.\n' : `\n${stdout.style('bold', 'Arguments')}\n`)
  writeTable(
    stdout,
    flags.map((flag) => [flagUsage(flag), flagNotes(flag)]),
    { indent: '  ' },
  )
}

/** Writes who serves a tool of several providers, and under which name each one does. */
function writeOffers({ terminal: { stdout } }: CommandContext, offers: readonly CatalogTool[]): void {
  if (offers.length < 2) return
  stdout.write(`\n${stdout.style('bold', 'Providers')}\n`)
  writeTable(
    stdout,
    offers.map(({ entry }) => [entry.providers.join(), entry.namespacedName]),
    { indent: '  ' },
  )
}

/** Writes a tool for a person. */
export function writeDetails(context: CommandContext, { entry, definition, inputSchema, offers }: ToolDetails): void {
  const { stdout } = context.terminal
  const facts = [
    ['namespaced name', entry.namespacedName],
    ['public name', entry.name],
    ['declared name', entry.declaredName],
    ['title', entry.title ?? ''],
    ['plugin', entry.pluginId],
    ['category', entry.category],
    ['providers', entry.providers.join(', ')],
    ['hints', hintsOf(definition)],
  ]
  writeTable(
    stdout,
    facts.filter(([, value]) => value !== ''),
  )
  if (entry.description !== '') stdout.write(`\n${printable(entry.description).trimEnd()}\n`)
  writeOffers(context, offers)
  writeFlags(context, inputSchema)
}

/** The details as a script reads them. */
export function detailsToJson({
  entry,
  definition,
  inputSchema,
  offers,
}: ToolDetails): Readonly<Record<string, unknown>> {
  const { outputSchema, readOnly, destructive, idempotent, openWorld } = definition
  return {
    ...entry,
    readOnly: readOnly ?? false,
    destructive: destructive ?? false,
    idempotent,
    openWorld,
    inputSchema,
    outputSchema,
    ...(offers.length > 0 && { offers: offers.map(offerToJson) }),
  }
}

function offerToJson({ entry, definition }: CatalogTool): Readonly<Record<string, unknown>> {
  const { providers, pluginId, namespacedName } = entry
  return { provider: providers.join(), pluginId, namespacedName, inputSchema: inputSchemaOf(definition) }
}

/** Writes how a tool is called: its purpose in a line, and its flags. */
export function writeCallHelp(context: CommandContext, details: ToolDetails): void {
  const { stdout } = context.terminal
  const name = oneLine(listedName(details.entry, 'cli'))
  stdout.write(`Usage: callboard call ${name} [--FLAG VALUE…] [--arg NAME=VALUE…] [--args JSON|-]\n`)
  if (details.entry.description !== '') stdout.write(`\n${printable(details.entry.description).trimEnd()}\n`)
  writeFlags(context, details.inputSchema)
}
