/** The prompts of a plugin of the existing protocol, as MCP has them. */
import type { ReceivedResponse, RequestBody } from '@callboard/sdk/external'
import { UpstreamError } from '../../../errors.ts'
import { isObject } from '../../../is-object.ts'

/** JSON-RPC's code for parameters that make no sense. */
const INVALID_PARAMS = -32602
const METHOD_NOT_FOUND = -32601

type Ask = (body: RequestBody) => Promise<ReceivedResponse>

/**
 * Answers `prompts/list` and `prompts/get`. Throws `UpstreamError` for a prompt that is not there, and for every other
 * method.
 */
export async function servePrompts(ask: Ask, method: string, params: unknown): Promise<unknown> {
  if (method === 'prompts/list') return { prompts: await listPrompts(ask) }
  if (method === 'prompts/get') return await getPrompt(ask, params)
  throw new UpstreamError(METHOD_NOT_FOUND, `the plugin does not serve "${method}"`)
}

/** Whoever does not know what is asked has none. */
async function listPrompts(ask: Ask): Promise<readonly object[]> {
  const answer = await ask({ case: 'listPrompts', value: {} })
  if (answer.case !== 'listPrompts') return []
  return answer.value.prompts.map(({ name, description, arguments: args }) => ({
    name,
    ...(description !== '' && { description }),
    arguments: args.map(({ name, description, required }) => ({ name, description, required })),
  }))
}

async function getPrompt(ask: Ask, params: unknown): Promise<unknown> {
  const { name: promptName, arguments: given = {} } = isObject(params) ? params : {}
  if (typeof promptName !== 'string' || !isObject(given))
    throw new UpstreamError(INVALID_PARAMS, 'a prompt is asked for by its `name`, with `arguments` that are texts')
  const args = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const answer = await ask({ case: 'promptGet', value: { promptName, arguments: args } })
  // One that is not there comes back as a description that says so.
  if (answer.case !== 'promptGet' || answer.value.messages.length === 0)
    throw new UpstreamError(INVALID_PARAMS, `the plugin has no prompt ${JSON.stringify(promptName)}`)
  const { description, messages } = answer.value
  return {
    ...(description !== '' && { description }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: { type: content?.type || 'text', text: content?.text ?? '' },
    })),
  }
}
