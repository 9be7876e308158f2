/** How a manifest names code: a module, with the name of an export or without, or a name that another module wires. */

/** A module in the plugin's folder. */
export interface ModuleReference {
  /** As written, without the export. */
  readonly path: string
  /** `default` where none is named. */
  readonly exportName: string
}

/** What Node runs, and what makes a text the name of a file. */
const EXTENSION = /\.[cm]?[jt]s$/

/**
 * The module that an `action` or the `module` of a manifest names; undefined when the text is a name that is wired. A
 * text is a module when it begins with a dot or a slash, or ends as files of code do.
 */
export function moduleReference(text: string): ModuleReference | undefined {
  const hash = text.indexOf('#')
  const path = hash < 0 ? text : text.slice(0, hash)
  if (!/^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(path) && !EXTENSION.test(path)) return undefined
  return { path, exportName: hash < 0 ? 'default' : text.slice(hash + 1) }
}

/** What is wrong with the form of a reference; undefined when nothing is. */
export function referenceFault({ path, exportName }: ModuleReference): string | undefined {
  if (path.includes('\\')) return `write / between folders: ${path.replaceAll('\\', '/').slice(0, 100)}`
  if (/^[A-Za-z]:|^\//.test(path)) return "a plugin's code stands in its own folder; expected a path such as ./echo.ts"
  if (!/^\.\.?\//.test(path)) return `a path begins with ./ here; write ./${path.slice(0, 100)}`
  if (path.includes('\0')) return 'a zero character in a path; take it out'
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(exportName))
    return 'after # stands the name of an export, as in ./tools.ts#echo'
  return undefined
}

/** Whether Node takes the file for code. */
export function isCodeFile(path: string): boolean {
  return EXTENSION.test(path)
}
