/** Finds and reads the file of a manifest, within bounds. */
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../errors.ts'
import { MAX_YAML_BYTES } from '../parse-yaml.ts'
import { Findings } from './findings.ts'

/** The names of a manifest: Callboard's own, and that of SIGNALS, which has the same shape. */
const MANIFEST_NAMES: readonly string[] = ['plugin.yaml', 'signals.yaml']

const BYTE_ORDER_MARK = '\uFEFF'

export interface OpenManifest {
  /** Absolute. */
  readonly file: string
  readonly folder: string
  /** Undefined when there is nothing to read, which the findings tell. */
  readonly text: string | undefined
  readonly findings: Findings
}

/** Opens the manifest of a folder, or the manifest that a path names itself. Rejects never: what is wrong is found. */
export async function openManifest(path: string): Promise<OpenManifest> {
  const place = resolve(path)
  const isNamed = MANIFEST_NAMES.includes(basename(place)) && !(await isFolder(place))
  const folder = isNamed ? dirname(place) : place
  const names = await namesIn(folder)
  if (typeof names === 'string') return unread(place, folder, names)
  const present = MANIFEST_NAMES.filter((name) => names.includes(name))
  const chosen = isNamed ? basename(place) : present[0]
  if (chosen === undefined || !names.includes(chosen))
    return unread(isNamed ? place : join(folder, 'plugin.yaml'), folder, missingMend(names))
  const opened = await readManifestText(join(folder, chosen))
  if (present.length > 1)
    opened.findings.add('file.both', 0, `${present.join(' and ')} are both here; remove one, since only one is read`)
  return { ...opened, folder }
}

function unread(file: string, folder: string, message: string): OpenManifest {
  const findings = new Findings(file, '')
  findings.add('file.missing', 0, message)
  return { file, folder, text: undefined, findings }
}

function missingMend(names: readonly string[]): string {
  const meant = names.find((name) => /^(?:plugin|signals)\.ya?ml$/i.test(name))
  return meant === undefined
    ? 'there is no plugin.yaml (or signals.yaml) here; give the folder of a plugin, or write one'
    : `there is ${meant}, but a manifest is called plugin.yaml or signals.yaml, letter by letter; rename it`
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** The names in a folder; or in words why there are none. */
async function namesIn(folder: string): Promise<readonly string[] | string> {
  try {
    return await readdir(folder)
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return 'there is no such folder; correct the path'
    if (code === 'ENOTDIR' && /\.[cm]?[jt]s$/.test(folder))
      return 'a module has no manifest to check; it is checked when it is loaded. Give the folder of a declared plugin'
    if (code === 'ENOTDIR') return 'expected the folder of a plugin, or a file called plugin.yaml or signals.yaml'
    return `cannot be read (${messageOf(error)})`
  }
}

async function readManifestText(file: string): Promise<Omit<OpenManifest, 'folder'>> {
  const refused = (rule: 'file.unreadable' | 'file.size' | 'file.encoding', message: string) => {
    const findings = new Findings(file, '')
    findings.add(rule, 0, message)
    return { file, text: undefined, findings }
  }
  const bytes = await readBytes(file)
  if (typeof bytes === 'string') return refused('file.unreadable', `cannot be read (${bytes})`)
  if (bytes.length > MAX_YAML_BYTES)
    return refused('file.size', `larger than ${MAX_YAML_BYTES / 1024} KB; divide it into several plugins`)
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded
    const findings = new Findings(file, text)
    if (text !== decoded)
      findings.add('yaml.bom', 0, 'a byte order mark, at which other readers of YAML stumble; save the file without it')
    return { file, text, findings }
  } catch {
    return refused('file.encoding', 'this is not UTF-8 text; save it as UTF-8')
  }
}

/**
 * The bytes, at most one more than a manifest may have; or in words why there are none. Waits for no pipe or device.
 */
async function readBytes(file: string): Promise<Buffer | string> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!(await handle.stat()).isFile()) return 'it is no file'
    const buffer = Buffer.alloc(MAX_YAML_BYTES + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
      length += bytesRead
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length)
    }
  } catch (error) {
    return messageOf(error)
  } finally {
    await handle?.close()
  }
}
