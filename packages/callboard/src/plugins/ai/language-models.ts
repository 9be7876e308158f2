/** Opens the way to a provider's models through the AI SDK, whose packages are read when the first bridge starts. */
import type { LanguageModel } from 'ai'
import type { AiProvider } from '../../config/config.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** The model of a name, for one answer. */
export type LanguageModels = (model: string) => LanguageModel

/** The SDK takes an address from the environment where none is given; here the config alone says where prompts go. */
const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

export async function openModels({ api, apiKey = '', baseUrl }: AiProvider): Promise<LanguageModels> {
  switch (api) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return (model) =>
        createOpenAI({ apiKey, baseURL: baseUrl ?? ADDRESSES.openai, fetch: createProviderFetch() })(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return (model) =>
        createAnthropic({ apiKey, baseURL: baseUrl ?? ADDRESSES.anthropic, fetch: createProviderFetch() })(model)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return (model) =>
        createGoogleGenerativeAI({ apiKey, baseURL: baseUrl ?? ADDRESSES.google, fetch: createProviderFetch() })(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return (model) =>
        createOpenAICompatible({
          // The SDK looks for options under it, so it is no name from the config.
          name: 'compatible',
          baseURL: baseUrl ?? '',
          fetch: createProviderFetch(),
          includeUsage: true,
          supportsStructuredOutputs: true,
          ...(apiKey !== '' && { apiKey }),
        })(model)
    }
  }
}
