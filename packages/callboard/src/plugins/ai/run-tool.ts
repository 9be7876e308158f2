/** Runs a tool of a bridge on one provider, and makes a result of what that answers or why it does not. */
import type { AiProvider } from '../../config/config.ts'
import type { Secrets } from '../../secrets.ts'
import { type AiAnswer, type AiFailureKind, aiMeta } from '../ai-answer.ts'
import type { ToolCall, ToolResult } from '../plugin.ts'
import { AI_TOOLS } from './ai-tools.ts'
import type { ModelAnswer, ModelProvider } from './model-provider.ts'
import { type PromptRequest, readRequest } from './prompt-request.ts'
import { ProviderError, type ProviderFailure } from './provider-error.ts'
import { withoutKey } from './without-key.ts'

/** What a provider says of an error may be a page. */
const REASON_MAX = 500

export interface ProviderCall {
  readonly call: ToolCall
  readonly provider: ModelProvider
  readonly settings: AiProvider
  /** That of the call, or of the plugin's end. */
  readonly signal: AbortSignal
  readonly pluginId: string
  readonly secrets: Secrets
}

/**
 * Throws `invalid_arguments`, and the reason of the signal; why the provider gave no answer is a result with `isError`.
 */
export async function runTool(asked: ProviderCall): Promise<ToolResult> {
  const { call, settings } = asked
  if (call.definition.name === AI_TOOLS.models) return listModels(settings)
  const request = readRequest(call.arguments, settings)
  try {
    const answer = await ask(asked, request)
    return resultOf(answer, { provider: settings.provider, model: request.model })
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown
    return failureResult(asked, request, thrown.failure)
  }
}

function ask({ call, provider, signal }: ProviderCall, request: PromptRequest): Promise<ModelAnswer> {
  if (call.definition.name !== AI_TOOLS.stream) return provider.prompt(request, signal)
  let written = 0
  return provider.stream(request, signal, (message) => {
    written += message.length
    call.onProgress?.({ progress: written, message, isPiece: true })
  })
}

function resultOf(
  { text, object, finishReason, usage }: ModelAnswer,
  who: Pick<AiAnswer, 'provider' | 'model'>,
): ToolResult {
  return {
    content: [{ type: 'text', text }],
    ...(object !== undefined && { structuredContent: object }),
    _meta: aiMeta({ ...who, finishReason, usage }),
  }
}

function listModels({ provider, models, images, maxTokens }: AiProvider): ToolResult {
  const structuredContent = {
    provider,
    models: models.map((name, index) => ({ name, isDefault: index === 0 })),
    images,
    ...(maxTokens !== undefined && { maxTokens }),
  }
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    _meta: aiMeta({ provider }),
  }
}

function failureResult(
  { settings, secrets, pluginId }: ProviderCall,
  { model }: PromptRequest,
  failure: ProviderFailure,
): ToolResult {
  const { provider } = settings
  const { kind, status, retryAfterMs, spent } = failure
  const reason = withoutKey(failure.reason, { key: settings.apiKey, secrets, max: REASON_MAX })
  const text = `${provider} (${WORDS[kind]}): ${reason}; ${mendOf(failure, settings, pluginId)}`
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: aiMeta({
      provider,
      model,
      ...spent,
      error: {
        kind,
        ...(status !== undefined && { status }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    }),
  }
}

const WORDS: Readonly<Record<AiFailureKind, string>> = {
  auth: 'it refuses the key',
  rate_limit: 'its rate limit is reached',
  context_too_long: 'the context is too long',
  content_filter: 'its content filter',
  unavailable: 'unavailable',
  interrupted: 'interrupted',
  refused: 'it refuses the request',
  unreadable: 'unreadable',
}

function mendOf(
  { kind, status, retryAfterMs, isPassing }: ProviderFailure,
  { provider, models, apiKey }: AiProvider,
  pluginId: string,
): string {
  switch (kind) {
    case 'auth':
      return apiKey === undefined
        ? `set one as \`apiKey\` of the plugin "${pluginId}" in the config`
        : `its key is set by \`apiKey\` of the plugin "${pluginId}" in the config`
    case 'rate_limit':
      if (retryAfterMs !== undefined) return `try again in ${Math.ceil(retryAfterMs / 1_000)} s, or another provider`
      return isPassing
        ? 'try again later, or another provider'
        : 'look at the account and its quota, or try another provider'
    case 'context_too_long':
      return 'shorten the messages, or try a model that takes more'
    case 'content_filter':
      return 'say it in other words, or try another provider'
    case 'unavailable':
      return `try again later, or another provider; the state of ${provider} is shown by \`callboard plugins\``
    case 'interrupted':
      return 'try again'
    case 'refused':
      return `check the arguments; its models here are ${models.join(', ')}`
    case 'unreadable':
      // Only a redirect has one.
      if (status !== undefined) return `set \`baseUrl\` of the plugin "${pluginId}" to where ${provider} is to be asked`
      return `try again, or another model; if that never helps, check \`baseUrl\` and \`api\` of the plugin "${pluginId}"`
    default:
      return kind satisfies never
  }
}
