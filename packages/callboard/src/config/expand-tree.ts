/** Turns source nodes into plain values: `${…}` expanded, keys that stand twice refused, secrets registered. */

import { closestName } from '../closest-name.ts'
import type { Secrets } from '../secrets.ts'
import { expandText, type Reference } from './expand-text.ts'
import type { Problems } from './problems.ts'
import { rememberVariable } from './secret-values.ts'
import { entryOf, pathText, type SourceNode, type SourcePath } from './source-node.ts'
import type { Variables } from './variables.ts'

export interface ExpandScope {
  /** The text of the document; '' when it was given as data. */
  readonly text: string
  readonly variables: Variables
  /** What `${callboard:NAME}` stands for. */
  readonly folders: ReadonlyMap<string, string>
  /** What clients call some folders, by the name they use in `mcpServers`. */
  readonly clientFolders: ReadonlyMap<string, string>
  readonly problems: Problems
  readonly secrets: Secrets
}

/** Keys of a plugin that say how it is treated, not what it is given: nothing in them is a secret. */
const TREATMENT = new Set(['local', 'prefix', 'enabled', 'timeout', 'startTimeout', 'tools'])

/** The value of `node`, which stands at `path`. What is wrong in it is added to the scope's problems. */
export function expandTree(node: SourceNode, path: SourcePath, scope: ExpandScope): unknown {
  return new TreeExpander(scope).value(node, path, false)
}

class TreeExpander {
  readonly #scope: ExpandScope

  constructor(scope: ExpandScope) {
    this.#scope = scope
  }

  value(node: SourceNode, path: SourcePath, disabled: boolean): unknown {
    if (node.kind === 'scalar') {
      return typeof node.value === 'string' ? this.#text(node, node.value, path, disabled) : node.value
    }
    if (node.kind === 'list') return node.items.map((item, index) => this.value(item, [...path, index], disabled))
    return this.#map(node, path, disabled || (path.length === 2 && isPlugin(path) && isDisabled(node)))
  }

  #map(node: SourceNode & { kind: 'map' }, path: SourcePath, disabled: boolean): Record<string, unknown> {
    const seen = new Map<string, number>()
    const values: [string, unknown][] = []
    for (const { key, keyStart, value } of node.entries) {
      const here = [...path, key]
      const first = seen.get(key)
      if (first !== undefined) {
        const { problems } = this.#scope
        problems.add(
          keyStart,
          () => `${pathText(here)}: this key stands twice (first on line ${problems.lineAt(first)}); remove one`,
        )
      } else if (key === '__proto__') {
        this.#scope.problems.add(keyStart, () => `${pathText(here)}: this cannot be a key; choose another name`)
      } else {
        seen.set(key, keyStart)
        values.push([key, this.value(value, here, disabled)])
      }
    }
    return Object.fromEntries(values)
  }

  #text(node: SourceNode, text: string, path: SourcePath, disabled: boolean): string {
    const { problems } = this.#scope
    // What a disabled plugin asks for is not needed, so it may be missing.
    const complain = (raw: string, message: () => string): string => {
      if (!disabled) problems.add(this.#offsetOf(raw, node), () => `${pathText(path)}: ${message()}`)
      return raw
    }
    return expandText(
      text,
      (reference) => this.#resolve(reference, path, complain),
      (raw, why) =>
        complain(raw, () => `a \${ that ${why}; write \${NAME} or \${NAME:-default}, or $\${ for a plain \${`),
    )
  }

  #resolve(
    { raw, source, name, fallback }: Reference,
    path: SourcePath,
    complain: (raw: string, message: () => string) => string,
  ): string {
    const { variables, folders, clientFolders, secrets } = this.#scope
    if (source === 'input') {
      return complain(
        raw,
        () => `${raw} asks a person, and nobody can be asked here; write \${VARIABLE} and set it in the environment`,
      )
    }
    if (source === 'callboard') {
      const known = [...folders.keys()].map((folder) => `\${callboard:${folder}}`).join(', ')
      return folders.get(name) ?? complain(raw, () => `${raw} is not known here; there is ${known}`)
    }
    const value = variables.get(name)
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      if (holdsSecrets(path)) rememberVariable(name, value, secrets)
      return value
    }
    if (fallback !== undefined) return fallback
    const folder = path[0] === 'mcpServers' ? clientFolders.get(name) : undefined
    return folder ?? complain(raw, () => this.#missing(name))
  }

  #missing(name: string): string {
    const meant = closestName(name, this.#scope.variables.names())
    const guess = meant === undefined ? '' : ` (there is ${meant})`
    return `the variable ${name} is not set${guess}; set it, put it into the envFile, or give a default: \${${name}:-…}`
  }

  #offsetOf(raw: string, node: SourceNode): number {
    const at = this.#scope.text.indexOf(raw, node.start)
    return at >= 0 && at < node.end ? at : node.start
  }
}

function isPlugin(path: SourcePath): boolean {
  return path[0] === 'plugins' || path[0] === 'mcpServers'
}

function holdsSecrets(path: SourcePath): boolean {
  return isPlugin(path) && path.length > 2 && !TREATMENT.has(String(path[2])) && path.at(-1) !== 'cwd'
}

function isDisabled(node: SourceNode): boolean {
  const says = (key: string, value: boolean): boolean => {
    const said = entryOf(node, key)?.value
    return said?.kind === 'scalar' && said.value === value
  }
  return says('enabled', false) || says('disabled', true)
}
