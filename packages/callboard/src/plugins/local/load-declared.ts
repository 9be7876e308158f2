/** Makes a plugin of a manifest and the modules that it names. */
import { resolve } from 'node:path'
import type { DefinedPlugin, DefinedTool, ToolAction, ToolDefinition } from '@callboard/sdk'
import { textOfThrown } from '@callboard/sdk/host'
import type { Finding } from '../../config/manifest/finding.ts'
import { moduleReference } from '../../config/manifest/module-reference.ts'
import { type PluginManifest, readManifest } from '../../config/manifest/read-manifest.ts'
import { CallboardError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { type LoadedModule, loadModule } from './load-module.ts'
import { Wiring } from './wiring.ts'

/** More faults than this are only counted. */
const MAX_FAULTS = 5

/**
 * The plugin of the manifest at this path, or in this folder. Throws `config` with what is wrong: findings with file
 * and line, or a tool and its mend.
 */
export async function loadDeclared(path: string): Promise<DefinedPlugin> {
  const { manifest, findings } = await readManifest(path)
  const errors = findings.filter(({ level }) => level === 'error')
  if (manifest === undefined || errors.length > 0) {
    throw refusedManifest(errors, path)
  }
  const modules = new Modules(manifest.folder)
  const wiring = new Wiring(manifest)
  if (manifest.module !== undefined) await wire(manifest.module, modules, wiring)
  const faults: string[] = []
  const tools: DefinedTool[] = []
  for (const definition of manifest.tools) {
    try {
      tools.push({ definition, run: wiring.actionOf(definition) ?? (await modules.actionOf(definition, manifest)) })
    } catch (thrown) {
      faults.push(`tool "${definition.name}": ${textOfThrown(thrown)}`)
    }
  }
  if (faults.length > 0) throw refused(faults)
  return { id: manifest.package, tools }
}

async function wire(module: string, modules: Modules, wiring: Wiring): Promise<void> {
  const register = (await modules.load(module)).default
  if (!isFunction(register))
    throw refused([`the default export of ${module} has to be a function register(registrar), not ${kindOf(register)}`])
  try {
    await register(wiring)
  } catch (cause) {
    throw new CallboardError('config', `${module} does not register its tools: ${textOfThrown(cause)}`, { cause })
  } finally {
    wiring.close()
  }
}

/** The modules of one load; each is imported once, however many tools it has. */
class Modules {
  readonly #folder: string
  readonly #loaded = new Map<string, Promise<LoadedModule>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  load(path: string): Promise<LoadedModule> {
    const file = resolve(this.#folder, path)
    const loaded = this.#loaded.get(file) ?? loadModule(file)
    this.#loaded.set(file, loaded)
    return loaded
  }

  /** What a path says that runs the tool. */
  async actionOf({ name, action }: ToolDefinition, { module, file }: PluginManifest): Promise<ToolAction<never>> {
    const reference = moduleReference(action)
    if (reference === undefined)
      throw refused([
        `its action ${JSON.stringify(action.slice(0, 100))} is no path of a module, and ${module} does not wire it; call registrar.tool('${name}', action) there, or write a path`,
      ])
    const { path, exportName } = reference
    const exported = (await this.load(path))[exportName]
    if (isFunction(exported)) return exported
    if (exported !== undefined)
      throw refused([`the export ${exportName} of ${path} has to be a function, not ${kindOf(exported)}`])
    throw refused([
      exportName === 'default'
        ? `${path} has no default export; add one, or name another: ${path}#NAME`
        : `${path} exports nothing named ${exportName}; correct the name in ${file}`,
    ])
  }
}

/** Only the first, since this becomes the reason of a plugin, which stands in one line. */
function refusedManifest(errors: readonly Finding[], path: string): CallboardError {
  const [first] = errors
  const count = errors.length > 1 ? `${errors.length} errors, first: ` : ''
  const fault =
    first === undefined ? 'there is no manifest' : `${first.file}:${first.line}:${first.column}: ${first.message}`
  return new CallboardError('config', `${count}${fault}; \`callboard plugin check ${shellWord(path)}\` says more`)
}

function refused(faults: readonly string[]): CallboardError {
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : ''
  return new CallboardError('config', `${faults.slice(0, MAX_FAULTS).join('; ')}${more}`)
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function'
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`
}
