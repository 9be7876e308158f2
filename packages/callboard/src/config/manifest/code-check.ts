/**
 * Checks the modules that a manifest names, as far as that is known without running them: whoever checks a plugin may
 * not trust it yet.
 */
import type { Stats } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { exportsThen, THEN_MEND } from './exports-then.ts'
import type { Findings } from './findings.ts'
import { isCodeFile, type ModuleReference, moduleReference, referenceFault } from './module-reference.ts'

/** A larger module is not looked into. */
const MAX_BYTES = 1024 * 1024
/** What a module that is not there may be called instead, and for how many that is looked up. */
const ENDINGS = ['.ts', '.js', '.mjs', '/index.ts', '/index.js']
const MAX_GUESSES = 20

/** Where a text of the manifest stands. */
export interface CodePlace {
  readonly written: string
  readonly offset: number
  /** As a person reads it. */
  readonly place: string
}

/** A tool's action, with the declared name of the tool. */
export interface ActionPlace extends CodePlace {
  readonly tool: string | undefined
}

export interface ManifestCode {
  readonly folder: string
  readonly module: CodePlace | undefined
  readonly actions: readonly ActionPlace[]
}

/** Checks the module and every action. */
export async function checkCode(code: ManifestCode, findings: Findings): Promise<void> {
  // The folder itself may be reached by a link.
  const check = new CodeCheck(code.folder, await realOf(code.folder), findings)
  const wiring = code.module && (await check.module(code.module))
  const wired = wiredNames(wiring?.text ?? '')
  for (const action of code.actions) {
    const reference = moduleReference(action.written)
    if (reference !== undefined) {
      await check.reference(reference, action)
      if (action.tool !== undefined && wired.has(action.tool))
        findings.add(
          'tools.action.both',
          action.offset,
          `${action.place}: the module seems to wire ${action.tool} too; keep the path here, or the name that is wired`,
        )
    } else if (code.module === undefined) {
      findings.add('tools.action.unwired', action.offset, `${action.place}: ${unwiredMend(action.written)}`)
    }
  }
}

function unwiredMend(action: string): string {
  return action.includes('\\')
    ? 'a class of PHP does not run here; expected a module such as ./echo.ts'
    : 'a name needs a `module` that wires it; add one, or write a module such as ./echo.ts'
}

/** The names for which the text of a module has `.tool('name'`, in whatever quotes. */
function wiredNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\.tool\(\s*(['"`])([^'"`\n]{1,200})\1/g)].map((match) => match[2] ?? ''))
}

class CodeCheck {
  readonly #folder: string
  /** Without links. */
  readonly #realFolder: string
  readonly #findings: Findings
  readonly #files = new Map<string, Promise<CodeFile | undefined>>()
  #missing = 0

  constructor(folder: string, realFolder: string, findings: Findings) {
    this.#folder = folder
    this.#realFolder = realFolder
    this.#findings = findings
  }

  /** Checks the wiring module; what it holds, if it is there. */
  async module(place: CodePlace): Promise<CodeFile | undefined> {
    const reference = moduleReference(place.written)
    if (reference === undefined || place.written.includes('#'))
      this.#refuse('code.path', place, 'expected a module of the plugin, such as ./plugin.ts')
    else return this.reference(reference, place)
    return undefined
  }

  /** Checks a module that is named; what it holds, if it is there. */
  async reference(reference: ModuleReference, place: CodePlace): Promise<CodeFile | undefined> {
    const path = join(this.#folder, reference.path)
    const fault = referenceFault(reference) ?? (isWithin(this.#folder, path) ? undefined : leadsOut())
    if (fault !== undefined) return this.#refuse('code.path', place, fault)
    const real = await realpath(path).catch(() => undefined)
    if (real !== undefined && !isWithin(this.#realFolder, real))
      return this.#refuse('code.path', place, leadsOut(' by a link'))
    const known = this.#files.get(path) ?? lookInto(path)
    this.#files.set(path, known)
    const file = await known
    if (file === undefined) return this.#refuse('code.missing', place, await this.#missingMend(path, reference.path))
    if (!isCodeFile(path)) return this.#refuse('code.path', place, 'expected a file that ends with .js or .ts')
    if (file.isStrippedNowhere)
      this.#refuse('code.typescript', place, 'under node_modules Node runs JavaScript only; name the built file')
    if (exportsThen(file.text)) this.#refuse('code.then', place, THEN_MEND)
    if (file.exports !== undefined && !file.exports.has(reference.exportName))
      this.#refuse('code.export', place, exportMend(reference))
    return file
  }

  async #missingMend(path: string, written: string): Promise<string> {
    const endings = this.#missing++ < MAX_GUESSES ? ENDINGS : []
    const stem = path.replace(/\.[cm]?[jt]s$/, '')
    for (const ending of endings)
      if ((await statOf(stem + ending))?.isFile())
        return `there is no such file; did you mean ${written.replace(/\.[cm]?[jt]s$/, '')}${ending}?`
    return "there is no such file in the plugin's folder; correct the path"
  }

  #refuse(
    rule: 'code.path' | 'code.missing' | 'code.typescript' | 'code.export' | 'code.then',
    place: CodePlace,
    why: string,
  ): undefined {
    this.#findings.add(rule, place.offset, `${place.place}: ${why}`)
  }
}

/** Whether a path is one in the folder. */
function isWithin(folder: string, path: string): boolean {
  const within = relative(folder, path)
  return within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within)
}

function leadsOut(how = ''): string {
  return `it leads out of the plugin's folder${how}; expected a module inside, such as ./echo.ts`
}

interface CodeFile {
  /** Node would have to strip types where it does not. */
  readonly isStrippedNowhere: boolean
  /** '' where it can't be looked into. */
  readonly text: string
  /** Every name that an export may have; undefined where that can't be told from the text. */
  readonly exports: ReadonlySet<string> | undefined
}

async function lookInto(path: string): Promise<CodeFile | undefined> {
  const found = await statOf(path)
  if (found === undefined || !found.isFile()) return undefined
  const real = await realOf(path)
  const isStrippedNowhere = /\.[cm]?ts$/.test(real) && real.split(sep).includes('node_modules')
  // A file that can't be read is found when the plugin is loaded, by the user who loads it.
  const text = found.size <= MAX_BYTES ? await readFile(path, 'utf8').catch(() => '') : ''
  return { isStrippedNowhere, text, exports: text === '' ? undefined : namesIn(text) }
}

/** Where a path leads; the path itself where there is nothing. */
function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

/**
 * The names that stand in a module, wherever: nothing is refused that would run. What hands on all exports of another
 * module, or makes its own as it runs, may have any.
 */
function namesIn(text: string): ReadonlySet<string> | undefined {
  if (/\bexport\s*\*|\bexports\b|\\u/.test(text)) return undefined
  return new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu))
}

function exportMend({ path, exportName }: ModuleReference): string {
  return exportName === 'default'
    ? `${path} has no default export; add one, or name another with ${path}#name`
    : `${path} exports nothing called ${exportName}; correct the name, or leave it out for the default export`
}
