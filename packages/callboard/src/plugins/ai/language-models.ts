/** Opens the way to a provider's models through the AI SDK, whose packages are read when the first bridge starts. */
import type { LanguageModel } from 'ai'
import type { AiProvider } from '../../config/config.ts'
import { patientFetch } from '../patient-fetch.ts'

/** The model of a name. */
export type LanguageModels = (model: string) => LanguageModel

/** The SDK takes an address from the environment where none is given; here the config alone says where prompts go. */
const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

/** Everything that the SDK sends is an address and what goes there. */
const send: typeof fetch = (input, init) => patientFetch(input instanceof Request ? input.url : input, init)

export async function openModels({ provider, api, apiKey = '', baseUrl }: AiProvider): Promise<LanguageModels> {
  switch (api) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ apiKey, baseURL: baseUrl ?? ADDRESSES.openai, fetch: send })
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ apiKey, baseURL: baseUrl ?? ADDRESSES.anthropic, fetch: send })
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl ?? ADDRESSES.google, fetch: send })
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: provider,
        baseURL: baseUrl ?? '',
        fetch: send,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...(apiKey !== '' && { apiKey }),
      })
    }
  }
}
