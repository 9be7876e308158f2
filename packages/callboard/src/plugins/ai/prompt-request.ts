/** What may be asked of a model: the arguments of the prompt tools, their checks and their JSON Schema. */
import type { JsonSchema } from '@callboard/sdk'
import { z } from 'zod'
import type { AiProvider } from '../../config/config.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import { checkedSchema } from '../../tools/schema/checked-schema.ts'

interface ImagePart {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** A request as the arguments give it. */
export interface PromptRequest {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: readonly (TextPart | ImagePart)[]
  }[]
  readonly system: string | undefined
  readonly model: string
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  /** What is wanted instead of text. */
  readonly object: WantedObject | undefined
}

export interface WantedObject {
  readonly schema: JsonSchema
  /** What is not of the schema in what a model wrote, a phrase each. May throw. */
  readonly problems: (value: unknown) => readonly string[]
}

/** Which arguments a prompt tool takes. */
export interface PromptForm {
  /** Whether an object can be asked for. */
  readonly isObjectWanted: boolean
}

const image = {
  // No pattern of the schema: it would be run on megabytes by the slower engine for patterns of strangers.
  data: z
    .string()
    .refine((data) => /^[A-Za-z0-9+/]+={0,2}$/.test(data), 'expected an image in base64')
    .describe('The image in base64'),
  mimeType: z
    .string()
    .regex(/^image\/[a-z0-9.+-]+$/, 'expected a type such as image/png')
    .describe('Such as image/png'),
}

const tokens = z.int().min(1)

/** Checks arguments for this provider, and describes them to callers. */
function argumentsOf({ models: [model, ...more], images, maxTokens }: AiProvider) {
  const text = z.strictObject({ type: z.literal('text'), text: z.string() })
  const part: z.ZodType<TextPart | ImagePart> = images
    ? z.union([text, z.strictObject({ type: z.literal('image'), ...image })])
    : text
  return z.strictObject({
    prompt: z.string().min(1).describe('What to ask, in words; or give `messages`').optional(),
    messages: z
      .array(
        z.strictObject({
          role: z.enum(['user', 'assistant']),
          content: z.union([z.string(), z.array(part).min(1)]),
        }),
      )
      .min(1)
      .describe('A conversation so far, the newest message last; or give `prompt`')
      .optional(),
    images: z.array(z.strictObject(image)).describe('Images that go with `prompt`').optional(),
    system: z.string().describe('What the model is told before everything else').optional(),
    model: z
      .enum([model ?? '', ...more])
      .describe(`The model; ${model} when absent`)
      .optional(),
    max_tokens: (maxTokens === undefined ? tokens : tokens.max(maxTokens))
      .describe('The most tokens that the answer may have')
      .optional(),
    temperature: z.number().min(0).max(2).describe('From 0, always alike, to 2').optional(),
    schema: z
      .looseObject({})
      .describe('A JSON Schema of type object: the answer is then an object that fits it')
      .optional(),
  })
}

/** The JSON Schema of the arguments. */
export function promptSchema(provider: AiProvider, { isObjectWanted }: PromptForm): JsonSchema {
  const all = z.toJSONSchema(argumentsOf(provider), { io: 'input' })
  const left = Object.entries(all.properties ?? {}).filter(
    ([name]) => (name !== 'images' || provider.images) && (name !== 'schema' || isObjectWanted),
  )
  return { type: 'object', properties: Object.fromEntries(left), additionalProperties: false }
}

/** The request that the arguments stand for. Throws `invalid_arguments`. */
export function readRequest(args: Readonly<Record<string, unknown>>, provider: AiProvider): PromptRequest {
  const parsed = argumentsOf(provider).safeParse(args)
  if (!parsed.success)
    throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const { prompt, messages, images = [], system, model, max_tokens, temperature, schema } = parsed.data
  if (images.length > 0 && !provider.images) throw invalid(`${provider.provider} takes no images`)
  return {
    messages: messagesOf(prompt, messages, images),
    system,
    model: model ?? provider.models[0] ?? '',
    maxTokens: max_tokens ?? provider.maxTokens,
    temperature,
    object: schema && wantedObject(schema),
  }
}

type Given = NonNullable<z.output<ReturnType<typeof argumentsOf>>['messages']>

function messagesOf(
  prompt: string | undefined,
  messages: Given | undefined,
  images: readonly Omit<ImagePart, 'type'>[],
): PromptRequest['messages'] {
  if ((prompt === undefined) === (messages === undefined)) throw invalid('expected either `prompt` or `messages`')
  if (prompt === undefined && images.length > 0)
    throw invalid('`images` go with `prompt`; in `messages` they stand in the content')
  const asked = images.map((one) => ({ type: 'image', ...one }) as const)
  if (prompt !== undefined) return [{ role: 'user', content: [...asked, { type: 'text', text: prompt }] }]
  return (messages ?? []).map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
    if (role === 'assistant' && parts.some(({ type }) => type === 'image'))
      throw invalid('an image stands in a message of the user, not of the assistant')
    return { role, content: parts }
  })
}

/** `structuredContent` is an object by the protocol, so nothing else can be asked for. */
function wantedObject(schema: JsonSchema): WantedObject {
  if (schema.type !== 'object')
    throw invalid('`schema` has to be of `type: object`; put anything else in a property of one')
  try {
    const { problems } = checkedSchema(schema)
    return { schema, problems: (value) => problems(value) }
  } catch (error) {
    throw invalid(`\`schema\` can't be used: ${messageOf(error)}`)
  }
}

function invalid(message: string): CallboardError {
  return new CallboardError('invalid_arguments', `invalid arguments: ${message}`)
}
