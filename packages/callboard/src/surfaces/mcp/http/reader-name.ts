/** How the log names the client that reads an answer. */
import { nameOf } from '../../../gate/acting-user.ts'
import { isObject } from '../../../is-object.ts'
import type { ReaderName } from '../../readers.ts'
import type { Caller } from './caller.ts'

const CALL = 'call_mcp_tool'
/** In characters: whatever a client calls is a name here. */
const LONGEST = 128

/** @param requests what is answered; of several the first that calls a tool is named */
export function readerName({ user }: Caller, requests: readonly unknown[] = []): ReaderName {
  return { user: nameOf(user), ...requests.map(toolOf).find((tool) => tool !== undefined) }
}

function toolOf(request: unknown): Pick<ReaderName, 'tool' | 'via'> | undefined {
  if (!isObject(request) || request.method !== 'tools/call' || !isObject(request.params)) return undefined
  const { name, arguments: args } = request.params
  if (typeof name !== 'string') return undefined
  const inner = name === CALL ? Object(args).tool_name : undefined
  return typeof inner === 'string' ? { tool: inner.slice(0, LONGEST), via: name } : { tool: name.slice(0, LONGEST) }
}
