/** The shape of what a config says of model providers: each one of a bridge, and what holds for all of them. */
import { z } from 'zod'
import { record, text } from './schema-parts.ts'

/** Which of the ways to speak to a model a provider understands. */
const AI_APIS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const

/** One model provider as the config writes it. */
export interface AiProviderSettings {
  readonly provider: string
  readonly api?: (typeof AI_APIS)[number] | undefined
  readonly model: string
  readonly models?: readonly string[] | undefined
  readonly apiKey?: string | undefined
  readonly baseUrl?: string | undefined
  readonly maxTokens?: number | undefined
  readonly images?: boolean | undefined
}

/** What the config says of all providers; names are in small letters. */
export interface AiSettings {
  readonly default?: string | undefined
  readonly fallback: readonly string[]
  readonly aliases: Readonly<Record<string, string>>
  readonly owners: Readonly<Record<string, string>>
}

const providerText = text
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'expected the name of a provider, such as openai, of letters, digits, _ and -')

/** The name of a provider; in small letters once parsed, since case means nothing in it. */
export const providerName: z.ZodType<string> = providerText.transform((name) => name.toLowerCase())

const model = text.min(1, 'expected the name of a model')

const aiProvider = z.strictObject({
  provider: providerName.describe('The name by which callers choose it, such as openai; `ai.NAME` is its permission.'),
  api: z
    .enum(AI_APIS)
    .describe('How it is spoken to. Default: as the provider of that name is, else openai-compatible.')
    .optional(),
  model: model.describe('The model of a call that names none.'),
  models: z.array(model).describe('Further models that a call may name.').optional(),
  apiKey: text.min(1, 'expected a key').describe("Its key; write it as a variable, '${…}'.").optional(),
  baseUrl: text
    .describe("Where it is, with the path before /chat/completions and the like. Default: the API's own.")
    .optional(),
  maxTokens: z.int().min(1).max(100_000_000).describe('The most tokens that one call may have written.').optional(),
  images: z.boolean().describe('Whether it takes images. Default: true, but false for openai-compatible.').optional(),
})

/** What stands under a plugin's `ai`: one provider, or a list of them. */
export const aiBridge: z.ZodType<AiProviderSettings | readonly AiProviderSettings[]> = z.union([
  aiProvider,
  z.array(aiProvider).min(1, 'expected at least one provider'),
])

/** The section `ai`. */
export const aiSection: z.ZodType<AiSettings> = z.strictObject({
  default: providerName.describe('The provider of a call that names none.').optional(),
  fallback: z
    .array(providerName)
    .describe('Who serves such a call, in this order, while its provider is unavailable.')
    .default([]),
  aliases: record(providerText, providerName).describe('Further names of providers.').default({}),
  owners: record(providerText, text)
    .describe('Which plugin serves a provider that several plugins claim, by provider.')
    .default({}),
})
