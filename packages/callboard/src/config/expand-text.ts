/**
 * The `${…}` of a config's text: found and replaced in one pass, so that what a variable holds is never expanded again.
 */

/** One `${…}` as it is written. */
export interface Reference {
  /** The whole of it, braces included. */
  readonly raw: string
  /** `env` when nothing stands before the name. */
  readonly source: 'env' | 'callboard' | 'input'
  readonly name: string
  /** What stands after `:-`; taken when the variable is not set or empty. */
  readonly fallback: string | undefined
}

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g
const VARIABLE = /^(?:(env|callboard):)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s
const INPUT = /^(input):(.+)()$/s

/**
 * The text with each reference replaced by what `resolve` gives for it, and `$${` by a plain `${`. What is not a legal
 * reference goes to `refuse` with the reason and stays as it is; a `$` without a brace means nothing.
 */
export function expandText(
  text: string,
  resolve: (reference: Reference) => string,
  refuse: (raw: string, why: string) => void,
): string {
  if (!text.includes('${')) return text
  return text.replace(REFERENCE, (raw: string, body?: string, brace?: string) => {
    if (body === undefined) return '${'
    const why = brace === '' ? 'is not closed with }' : body.includes('${') ? 'has another ${ inside' : undefined
    const match = why === undefined ? (INPUT.exec(body) ?? VARIABLE.exec(body)) : null
    if (match === null) {
      refuse(raw, why ?? 'does not hold the name of a variable')
      return raw
    }
    const [, source, name = '', fallback] = match
    return resolve({ raw, source: source === 'input' || source === 'callboard' ? source : 'env', name, fallback })
  })
}
