/** Makes identifiers plain words, as every library has to be given them. */
import type { SetTool } from './tool-set.ts'

/** The fields that every library is given, and what each of their words is worth. Chosen once for all of them and all sets. */
export const FIELD_BOOSTS = { name: 3, title: 1, description: 1, params: 0.5, server: 1 } as const

export type PlainTool = Readonly<Record<keyof typeof FIELD_BOOSTS, string>>

/** camelCase, snake_case, paths and letters before digits taken apart. */
export function plainWords(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$3 $2')
    .replace(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3 $2$4')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
}

export function plainTool({ name, title, description, params, server }: SetTool): PlainTool {
  return {
    name: plainWords(name),
    title: plainWords(title),
    description: plainWords(description),
    params: plainWords(params.map((param) => `${param.name} ${param.description}`).join(' ')),
    server: plainWords(server),
  }
}
