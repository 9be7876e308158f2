/**
 * The shape of plugin.yaml, field by field: the one source of the checks of single values and of the editor's JSON
 * Schema.
 */
import type { Surface } from '@callboard/sdk'
import { z } from 'zod'
import { MAX_ID_LENGTH } from '../plugin-ids.ts'
import { ARGUMENT_NAME, DOTTED_NAME, MAX_NAME, PACKAGE_NAME, SEMVER } from './manifest-names.ts'

/** The schema of each field of a mapping. A field that is absent is parsed as undefined. */
export type FieldSchemas<Fields> = { readonly [Key in keyof Fields]: z.ZodType<Fields[Key]> }

type Mapping = Readonly<Record<string, unknown>>

/** One entry of `args`, as parsed. */
export interface ArgumentFields {
  readonly name: string
  /** As JSON Schema has it. */
  readonly type: string
  readonly required: boolean | undefined
  readonly description: string | undefined
}

/** One entry of `tools`, as parsed; what is in its lists is checked one by one, so that each has its own place. */
export interface ToolFields {
  readonly name: string
  readonly action: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly permission: string | undefined
  readonly read_only: boolean | undefined
  readonly destructive: boolean | undefined
  readonly idempotent: boolean | undefined
  readonly open_world: boolean | undefined
  readonly streaming: boolean | undefined
  readonly surfaces: readonly unknown[] | undefined
  readonly args: readonly unknown[] | undefined
  readonly input_schema: Mapping | undefined
  readonly output_schema: Mapping | undefined
  readonly tags: readonly unknown[] | undefined
}

/** The whole file, as parsed; what is in its lists is checked one by one. */
export interface ManifestFields {
  readonly package: string
  readonly name: string
  readonly version: string
  readonly module: string | undefined
  readonly permissions: readonly unknown[] | undefined
  readonly tools: readonly unknown[] | undefined
}

/** What a type of an argument may be called, with what JSON Schema calls it. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  int: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  object: 'object',
}

/** Sections of SIGNALS that concern other parts of an application than its tools. */
export const FOREIGN_SECTIONS: ReadonlySet<string> = new Set([
  'signals_version',
  'requires',
  'conflicts',
  'data_access',
  'operations',
  'datatables',
  'tables',
  'hooks',
  'slots',
  'settings',
  'nav',
  'pages',
  'network',
  'notifications',
  'channel_drivers',
  'events',
  'workflow_handlers',
  'workflow_triggers',
  'workflow_conditions',
  'icon',
])

const text = z.string().min(1, 'expected a text that is not empty')
const flag = z.boolean().optional()

/** The name of a permission or of a tool. */
export const dottedName: z.ZodType<string> = z
  .string()
  .max(MAX_NAME)
  .regex(DOTTED_NAME, 'expected lower-case words with dots between them, such as acme.hello.view')

/** Where a tool may be offered. */
export const surface: z.ZodType<Surface> = z.enum(['mcp', 'cli'])

/** A word to find a tool by. */
export const tag: z.ZodType<string> = text

/** What an entry of `args` may have. */
export const argumentFields: FieldSchemas<ArgumentFields> = {
  name: z
    .string()
    .regex(
      ARGUMENT_NAME,
      'expected 1 to 64 of the characters A-Z a-z 0-9 _ . -, since the APIs of models refuse any other',
    )
    .describe('What the argument is called.'),
  type: z
    .enum(Object.keys(TYPES))
    .describe('Its type. Default: string.')
    .default('string')
    .transform((written) => TYPES[written] ?? written),
  required: flag.describe('Whether it must be given. Default: false.'),
  description: z.string().optional().describe('What it means, for whoever fills it in.'),
}

const mapping = z.record(z.string(), z.unknown())

/** What an entry of `tools` may have. */
export const toolFields: FieldSchemas<ToolFields> = {
  name: dottedName.describe("The name of the tool; it begins with the plugin's vendor and a dot."),
  action: text.describe('What runs: a module such as ./echo.ts or ./tools.ts#echo, or a name that `module` wires.'),
  title: text.optional().describe('What to show people instead of the name.'),
  description: z.string().optional().describe('What the tool does, for whoever chooses among many.'),
  permission: dottedName.optional().describe('What a user needs to use it. Default: made from its name.'),
  read_only: flag.describe('Whether it changes nothing. Default: false.'),
  destructive: flag.describe('Whether it may destroy something. Default: false.'),
  idempotent: flag.describe('Whether a second equal call changes nothing more.'),
  open_world: flag.describe('Whether it reaches beyond its own data.'),
  streaming: flag.describe('Whether it answers in pieces while it runs.'),
  surfaces: z.array(z.unknown()).optional().describe('Where it is offered. Default: both.'),
  args: z.array(z.unknown()).optional().describe('Its arguments in short; input_schema says more.'),
  input_schema: mapping.optional().describe('The JSON Schema of its arguments, instead of args.'),
  output_schema: mapping.optional().describe('The JSON Schema of its structured result.'),
  tags: z.array(z.unknown()).optional().describe('Words to find it by.'),
}

/** What the file may have, besides the sections of other concern. */
export const manifestFields: FieldSchemas<ManifestFields> = {
  package: z
    .string()
    .max(MAX_ID_LENGTH)
    .regex(PACKAGE_NAME, 'expected vendor/name in lower case, such as acme/hello')
    .describe('The id of the plugin, vendor/name.'),
  name: text.max(MAX_NAME).describe('What people call it.'),
  version: z
    .string()
    .max(MAX_NAME)
    .regex(SEMVER, 'expected three numbers, such as 1.0.0, without a v (semver.org)')
    .describe('Its version, by SemVer.'),
  module: text
    .optional()
    .describe('A module whose default export, register(registrar), wires the actions that are names.'),
  permissions: z
    .array(z.unknown())
    .optional()
    .describe('The permissions that there are; each begins with the vendor and a dot.'),
  tools: z.array(z.unknown()).optional().describe('The tools.'),
}
