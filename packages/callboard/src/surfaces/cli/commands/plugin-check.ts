/**
 * `callboard plugin check`: tells everything that is found in the manifests of plugins, without running any of their
 * code.
 */
import { relative, resolve } from 'node:path'
import type { Finding } from '../../../config/manifest/finding.ts'
import { type ManifestReading, type PluginManifest, readManifest } from '../../../config/manifest/read-manifest.ts'
import { oneLine } from '../output/plain-text.ts'
import type { Terminal } from '../output/terminal.ts'

/** What the commands for authors of plugins work with. */
export interface AuthorContext {
  readonly terminal: Terminal
  /** What paths are relative to. */
  readonly cwd: string
  readonly json: boolean
}

interface CheckedPlugin extends ManifestReading {
  /** As it was given. */
  readonly path: string
}

/** Checks each of the plugins; resolves with 1 when one of them has an error, else with 0. */
export async function checkPlugins(context: AuthorContext, paths: readonly string[]): Promise<number> {
  const plugins: CheckedPlugin[] = []
  for (const path of paths) plugins.push({ path, ...(await readManifest(resolve(context.cwd, path))) })
  if (context.json) writeJson(context, plugins)
  else for (const plugin of plugins) writeText(context, plugin)
  return plugins.some(({ manifest }) => manifest === undefined) ? 1 : 0
}

function writeJson({ terminal: { stdout } }: AuthorContext, plugins: readonly CheckedPlugin[]): void {
  const document = plugins.map(({ path, manifest, findings }) => ({
    path,
    file: fileOf({ manifest, findings }),
    package: manifest?.package ?? null,
    version: manifest?.version ?? null,
    tools: manifest?.tools.map(({ name }) => name) ?? null,
    errors: countOf(findings, 'error'),
    notes: countOf(findings, 'note'),
    findings,
  }))
  stdout.write(`${JSON.stringify({ plugins: document }, undefined, stdout.isTerminal ? 2 : undefined)}\n`)
}

function writeText({ terminal: { stdout }, cwd }: AuthorContext, { manifest, findings }: CheckedPlugin): void {
  for (const { file, line, column, level, rule, message } of findings) {
    const place = stdout.style('bold', `${shown(file, cwd)}:${line}:${column}:`)
    const grade = stdout.style(level === 'error' ? 'red' : 'yellow', `${level} ${rule}:`)
    stdout.write(`${place} ${grade} ${oneLine(message)}\n`)
  }
  const plugin = manifest === undefined ? '' : titleOf(manifest)
  stdout.write(`${shown(fileOf({ manifest, findings }), cwd)}: ${plugin}${summaryOf(findings)}\n`)
}

function titleOf({ package: id, version, tools }: PluginManifest): string {
  return `${id} ${version}, ${counted(tools.length, 'tool')}, `
}

function summaryOf(findings: readonly Finding[]): string {
  const errors = countOf(findings, 'error')
  const notes = countOf(findings, 'note')
  if (errors + notes === 0) return 'nothing found'
  return [errors > 0 ? [counted(errors, 'error')] : [], notes > 0 ? [counted(notes, 'note')] : []].flat().join(', ')
}

/** A reading without a manifest has an error, which names the file. */
function fileOf({ manifest, findings }: ManifestReading): string {
  return manifest?.file ?? findings[0]?.file ?? ''
}

function countOf(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** The file as seen from the working folder; outside of it as it is. */
function shown(file: string, cwd: string): string {
  const within = relative(cwd, file)
  return oneLine(within === '' || within.startsWith('..') ? file : within)
}
