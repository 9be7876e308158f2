/** Made-up tools for benchmarks: as many as wanted, always the same ones, in the sizes and words of real tool lists. */
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'

const SYSTEMS =
  `atlas beacon cedar delta ember falcon garnet harbor indigo juniper kestrel lumen maple nimbus onyx prairie
quartz raven summit tundra umbra vertex willow xenon yarrow zephyr`.split(/\s+/)
const AREAS = 'mail tracker files calendar billing deploy docs metrics chat search crm storage'.split(' ')
const VERBS = `list get create update delete search export import archive restore assign approve reject send schedule
cancel validate summarize convert merge copy rename watch publish`.split(/\s+/)
const OBJECTS = `issue ticket project repository branch commit file folder document page comment user team role invoice
payment order product customer contact meeting event reminder message channel thread report dashboard metric alert
incident deployment release pipeline job bucket record table query template`.split(/\s+/)
const PARTS = 'status history owner labels permissions attachments settings activity summary members'.split(' ')
const PURPOSES = [
  'Results come in pages; pass the cursor of the last answer to get the next one.',
  'Only people with access to the workspace may do this.',
  'Use this when the identifier is known; otherwise search first.',
  'The answer names what was changed and by whom.',
  'Fails when nothing with this identifier exists.',
  'Times are in UTC, amounts in the currency of the account.',
  'Large results are cut; narrow them with the filters.',
  'Nothing is sent before the draft has been confirmed.',
]
const ARGUMENTS: readonly (readonly [name: string, schema: JsonSchema])[] = [
  ['workspace_id', { type: 'string', description: 'The workspace to look in' }],
  ['query', { type: 'string', description: 'Words to look for, or an expression in the filter language' }],
  ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many results to return' }],
  ['cursor', { type: 'string', description: 'Where the last page ended' }],
  ['include_archived', { type: 'boolean', default: false, description: 'Whether archived ones are included' }],
  ['sort_by', { type: 'string', enum: ['created', 'updated', 'name'], description: 'The order of the results' }],
  ['labels', { type: 'array', items: { type: 'string' }, description: 'Only those that have all of these labels' }],
  ['due_date', { type: 'string', format: 'date', description: 'The last day, as YYYY-MM-DD' }],
  ['assignee', { type: 'string', description: 'The user name or the e-mail address of the person in charge' }],
  ['notify', { type: 'boolean', description: 'Whether the people concerned get a message' }],
  ['dry_run', { type: 'boolean', default: false, description: 'Check everything and change nothing' }],
  ['priority', { type: 'string', enum: ['low', 'normal', 'high', 'urgent'], description: 'How soon it matters' }],
]

/** The tools of one plugin in a made-up catalogue are about this many. */
const TOOLS_PER_PLUGIN = 40

/**
 * `count` definitions of MCP servers of 40 tools each, server after server. Names are unique inside a server, which has
 * an id such as `maple-tracker` or `maple-tracker-2`. Each object is its own, as if it had come over a wire.
 */
export function generatedTools(count: number): ToolDefinition[] {
  const random = randomNumbers(count)
  return Array.from({ length: count }, (_, i) => {
    const plugin = pluginIdOf(Math.floor(i / TOOLS_PER_PLUGIN))
    return structuredClone(definitionOf(plugin, i % TOOLS_PER_PLUGIN, random))
  })
}

function pluginIdOf(number: number): string {
  const name = `${pick(SYSTEMS, number)}-${pick(AREAS, Math.floor(number / SYSTEMS.length))}`
  const round = Math.floor(number / (SYSTEMS.length * AREAS.length))
  return round === 0 ? name : `${name}-${round + 1}`
}

function definitionOf(plugin: string, number: number, random: () => number): ToolDefinition {
  const verb = pick(VERBS, number)
  const object = pick(OBJECTS, Math.floor(random() * OBJECTS.length))
  const part = random() < 0.4 ? pick(PARTS, Math.floor(random() * PARTS.length)) : undefined
  // The verb repeats after its list is through; the number keeps such names apart.
  const words = [verb, object, part, number < VERBS.length ? undefined : String(number)].filter(
    (word) => word !== undefined,
  )
  const name = random() < 0.2 ? camelCase(words) : words.join('_')
  const of = part === undefined ? `a ${object}` : `the ${part} of a ${object}`
  const system = plugin.replaceAll('-', ' ')
  const purposes = PURPOSES.filter(() => random() < 0.25)
  return {
    package: plugin,
    name,
    action: name,
    description: [`${capital(verb)} ${of} in ${capital(system)}.`, ...purposes].join(' '),
    inputSchema: schemaOf(object, random),
    readOnly: ['list', 'get', 'search', 'export', 'watch', 'summarize', 'validate'].includes(verb),
    destructive: ['delete', 'cancel', 'reject', 'merge'].includes(verb),
  }
}

function schemaOf(object: string, random: () => number): JsonSchema {
  const chosen = ARGUMENTS.filter(() => random() < 0.4)
  const id = `${object}_id`
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      [id]: { type: 'string', description: `The identifier of the ${object}` },
      ...Object.fromEntries(chosen),
    },
    required: [id],
    additionalProperties: false,
  }
}

function pick(list: readonly string[], number: number): string {
  return list[number % list.length] ?? ''
}

function camelCase(words: readonly string[]): string {
  return words.map((word, i) => (i === 0 ? word : capital(word))).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Numbers from 0 up to 1, the same for the same seed (the generator called mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
