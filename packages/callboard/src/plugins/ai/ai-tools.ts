/** The tools of a bridge, as one of its providers serves them. */
import type { ToolDefinition } from '@callboard/sdk'
import type { AiProvider } from '../../config/config.ts'
import { promptSchema } from './prompt-request.ts'

/** By what it does. */
export const AI_TOOLS = { prompt: 'ai_prompt', stream: 'ai_prompt_stream', models: 'ai_list_models' } as const

const PROMPT_TAGS = ['llm', 'chat', 'generate text', 'completion']

const MODELS_SCHEMA = {
  type: 'object',
  properties: {
    provider: { type: 'string' },
    models: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, isDefault: { type: 'boolean' } },
        required: ['name', 'isDefault'],
      },
    },
    images: { type: 'boolean', description: 'Whether they take images' },
    maxTokens: { type: 'integer', description: 'The most tokens that an answer may have' },
  },
  required: ['provider', 'models', 'images'],
}

/** The tools of one provider, those of the bridge with this id. */
export function aiTools(pluginId: string, provider: AiProvider): readonly ToolDefinition[] {
  return [promptTool(pluginId, provider), streamTool(pluginId, provider), modelsTool(pluginId)]
}

function promptTool(pluginId: string, provider: AiProvider): ToolDefinition {
  return {
    package: pluginId,
    name: AI_TOOLS.prompt,
    action: AI_TOOLS.prompt,
    title: 'Ask a language model',
    description:
      'Asks a language model and answers with what it writes: for a second opinion, a translation, a summary or ' +
      'any other text, or, with `schema`, for an object of that shape.',
    inputSchema: promptSchema(provider, { isObjectWanted: true }),
    openWorld: true,
    tags: PROMPT_TAGS,
  }
}

function streamTool(pluginId: string, provider: AiProvider): ToolDefinition {
  return {
    package: pluginId,
    name: AI_TOOLS.stream,
    action: AI_TOOLS.stream,
    title: 'Ask a language model, and read along',
    description:
      'Asks a language model and passes on what it writes while it writes, as messages of progress; the whole text is ' +
      'the answer.',
    inputSchema: promptSchema(provider, { isObjectWanted: false }),
    openWorld: true,
    streaming: true,
    tags: PROMPT_TAGS,
  }
}

function modelsTool(pluginId: string): ToolDefinition {
  return {
    package: pluginId,
    name: AI_TOOLS.models,
    action: AI_TOOLS.models,
    title: 'List language models',
    description: 'Lists the models that can be asked by ai_prompt, and what they take.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: MODELS_SCHEMA,
    readOnly: true,
    idempotent: true,
    openWorld: false,
    tags: ['llm'],
  }
}
