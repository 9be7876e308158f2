/** Reads what APIs say of their operations, which is how tools are described. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../packages/callboard/src/is-object.ts'

/** Operations of one API at most, so that the largest are not half of all. */
const MOST_OF_ONE = 400
/** What is said of many operations in the same words is read once; so much of it is compared. */
const COMPARED = 120
/** Further versions of one API. */
const REPEATED = /ghes-|github\.ae|ghec|graph-beta/
const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const LATIN = /^[\0-\u024f\u2000-\u206f]*$/
/** Parameters that say nothing of the operation. */
const COMMON = /api.?version|authorization|access_token|callback|prettyPrint|^x-|quotaUser|uploadType|\$/i

export interface Operation {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Names of parameters and what is said of them. */
  readonly parameters: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

export function readOperations(folder: string): readonly Operation[] {
  const known = new Set<string>()
  return jsonFiles(folder).flatMap((file) => {
    if (REPEATED.test(file)) return []
    const api: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const all = operationsOf(isObject(api) ? api : {}).filter((operation) => isNew(operation, known))
    const step = Math.max(1, all.length / MOST_OF_ONE)
    return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
  })
}

function jsonFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return jsonFiles(path)
    return path.endsWith('.json') ? [path] : []
  })
}

function isNew({ summary, description }: Operation, known: Set<string>): boolean {
  const said = `${summary}|${description}`.toLowerCase().slice(0, COMPARED)
  if (said === '|' || known.has(said) || !LATIN.test(said)) return false
  known.add(said)
  return true
}

function operationsOf(api: Json): readonly Operation[] {
  return Object.entries(object(api.paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = object(item)[method]
      return isObject(operation) ? [read(api, operation, `${method} ${path}`)] : []
    }),
  )
}

function read(api: Json, operation: Json, place: string): Operation {
  const list = Array.isArray(operation.parameters) ? operation.parameters : []
  const parameters = list.map((one) => resolve(api, object(one))).filter(({ name }) => !COMMON.test(String(name)))
  return {
    name: (plain(operation.operationId) || place).slice(0, 120),
    path: place.replace(/^\w+|\{[^}]*\}/g, ' '),
    summary: start(plain(operation.summary), 200),
    description: start(plain(operation.description), 400),
    parameters: parameters
      .slice(0, 8)
      .flatMap(({ name, description }) => [plain(name), start(plain(description), 100)]),
  }
}

/** What a reference inside the same file points to. */
function resolve(api: Json, one: Json): Json {
  if (typeof one.$ref !== 'string') return one
  const steps = one.$ref.split('/').slice(1)
  return object(steps.reduce<unknown>((at, step) => object(at)[step.replaceAll('~1', '/')], api))
}

function object(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** Without tags, links and marks. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replace(/<[^>]*>|\]\([^)]*\)|https?:\S+|[`*#|\\[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The whole words that begin the text. */
function start(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/\S*$/, '').trim()
}
