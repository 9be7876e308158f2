/** `get_mcp_tool`: everything about one tool, with the JSON Schema of its arguments. */
import type { CatalogEntry, JsonSchema, ToolDefinition } from '@callboard/sdk'
import { type CatalogTool, offersOf } from '../../catalog/catalog-tool.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import type { PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { answer, type BuiltinTool, failure, lookingTool } from './builtin-tool.ts'
import { codeBlock, cutText, inlineCode } from './markdown-text.ts'
import { readRequiredText } from './read-arguments.ts'

const CLOSE_NAMES = 3
const NAME_SHOWN = 80
const REASON_SHOWN = 300

const definition = lookingTool(
  'get_mcp_tool',
  {
    title: 'Describe a tool',
    description:
      'Shows one tool whole: its full description, whether it only reads or may destroy something, ' +
      'and the JSON Schema of its arguments. Look here before call_mcp_tool when you have not used the tool yet.',
  },
  {
    inputSchema: {
      type: 'object',
      properties: { tool_name: { type: 'string', description: 'The name as listed or found' } },
      required: ['tool_name'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        title: { type: 'string' },
        description: { type: 'string' },
        pluginId: { type: 'string' },
        category: { type: 'string' },
        providers: { type: 'array', items: { type: 'string' } },
        namespacedName: { type: 'string' },
        declaredName: { type: 'string' },
        state: {
          type: 'string',
          description: 'Of its plugin, where that is not well; only while it is `degraded` can the tool be called',
        },
        stateReason: { type: 'string' },
        hints: { type: 'object', additionalProperties: { type: 'boolean' } },
        schema: { type: ['object', 'boolean'], description: 'The JSON Schema of the arguments' },
        outputSchema: { type: ['object', 'boolean'], description: 'The JSON Schema of structuredContent' },
        offers: {
          type: 'array',
          description: 'The tool as each of its providers serves it, the one that is shown above first',
          items: {
            type: 'object',
            properties: {
              provider: { type: 'string' },
              pluginId: { type: 'string' },
              namespacedName: { type: 'string' },
              schema: { type: ['object', 'boolean'] },
            },
            required: ['provider', 'pluginId', 'namespacedName', 'schema'],
          },
        },
      },
      required: [
        'name',
        'description',
        'pluginId',
        'category',
        'providers',
        'namespacedName',
        'declaredName',
        'schema',
      ],
    },
  },
)

function hintsOf(tool: ToolDefinition): Record<string, boolean> {
  return {
    readOnly: tool.readOnly ?? false,
    destructive: tool.destructive ?? false,
    ...(tool.idempotent !== undefined && { idempotent: tool.idempotent }),
    ...(tool.openWorld !== undefined && { openWorld: tool.openWorld }),
  }
}

const HINT_WORDS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnly: ['only reads', 'may change things'],
  destructive: ['may destroy something', 'destroys nothing'],
  idempotent: ['twice is the same as once', 'twice is not the same as once'],
  openWorld: ['reaches the world outside', 'stays in its own world'],
}

function describe(entry: CatalogEntry, hints: Record<string, boolean>): string[] {
  const words = Object.entries(hints).map(([hint, yes]) => HINT_WORDS[hint]?.[yes ? 0 : 1] ?? hint)
  return [
    `## \`${entry.name}\``,
    ...(entry.title === undefined ? [] : [cutText(entry.title, NAME_SHOWN)]),
    '',
    entry.description === '' ? 'It has no description.' : entry.description.trim(),
    '',
    `- plugin: ${entry.pluginId}, category: ${entry.category}`,
    ...(entry.providers.length > 0 ? [`- providers: ${entry.providers.join(', ')}`] : []),
    `- full name: ${inlineCode(entry.namespacedName)}`,
    `- hints: ${words.join(', ')}`,
  ]
}

async function run({ arguments: args, catalog, signal }: ToolCall, host: PluginHost): Promise<ToolResult> {
  const name = readRequiredText(args, 'tool_name', 'the name of a tool, as search_mcp_tools finds it')
  const entry = catalog.getCatalogEntry(name)
  const found = catalog.resolve(name)
  if (!entry || !found) {
    await catalog.prepare('suggest', signal)
    return failure(noSuchTool(name, catalog.suggest(name, CLOSE_NAMES)))
  }
  const { schema: text = '{}', ...fields } = entry
  const schema: JsonSchema = JSON.parse(text)
  const { outputSchema } = found.definition
  const hints = hintsOf(found.definition)
  const offers = offersShown(found)
  const trouble = troubleOf(host.healthOf(entry.pluginId))
  const lines = [
    ...describe(entry, hints),
    ...(trouble ? [`- its plugin is ${trouble.state}: ${cutText(trouble.stateReason, REASON_SHOWN)}`] : []),
    '',
    'Arguments:',
    codeBlock('json', text),
    ...offers.filter((offer) => JSON.stringify(offer.schema) !== text).flatMap(describeOffer),
    ...(outputSchema ? ['', 'Structured answer:', codeBlock('json', JSON.stringify(outputSchema))] : []),
  ]
  return answer(lines, {
    ...fields,
    ...trouble,
    hints,
    schema,
    ...(outputSchema && { outputSchema }),
    ...(offers.length > 0 && { offers }),
  })
}

/** What a caller should know of the plugin before it calls; undefined while all is well. */
function troubleOf(
  health: PluginHealth | undefined,
): { readonly state: string; readonly stateReason: string } | undefined {
  if (health === undefined || health.state === 'up' || health.state === 'stopped') return undefined
  const { state, reason } = health
  // A first start has no reason, and calls wait for it.
  return reason === undefined ? undefined : { state, stateReason: reason }
}

interface OfferShown {
  readonly provider: string
  readonly pluginId: string
  readonly namespacedName: string
  readonly schema: JsonSchema
}

/** None for a tool without providers. */
function offersShown(tool: CatalogTool): readonly OfferShown[] {
  return offersOf(tool).flatMap(({ entry: { providers, pluginId, namespacedName }, definition }) =>
    providers.map((provider) => ({ provider, pluginId, namespacedName, schema: inputSchemaOf(definition) })),
  )
}

function describeOffer({ provider, namespacedName, schema }: OfferShown): string[] {
  return [
    '',
    `Arguments with the provider ${provider}, which is ${inlineCode(namespacedName)}:`,
    codeBlock('json', JSON.stringify(schema)),
  ]
}

function noSuchTool(name: string, close: readonly string[]): string {
  const shown = `no tool named ${JSON.stringify(cutText(name, NAME_SHOWN))}`
  if (close.length === 0) return `${shown}; find one with search_mcp_tools`
  return `${shown}; did you mean ${close.map((other) => JSON.stringify(other)).join(' or ')}?`
}

export const getMcpTool: BuiltinTool = { definition, run }
