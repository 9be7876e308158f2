/**
 * Whether a module exports `then`: an import takes it for a promise then, and waits for ever for what it resolves to.
 */

const DECLARED = /(?:^|[;}])\s*export\s+(?:async\s+)?(?:function\s*\*?|const|let|var|class)\s*\bthen\b/m
const LISTED = /(?:^|[;}])\s*export\s*\{[^}]*\bthen\s*[,}]/m

/** What is told of such a module, after its name. */
export const THEN_MEND: string =
  'it exports `then`, so that an import takes it for a promise and never ends; give that export another name'

/** As far as its text tells; what it hands on with `export *` is not seen. */
export function exportsThen(text: string): boolean {
  return DECLARED.test(text) || LISTED.test(text)
}
