/** Makes the way to an MCP server out of what a config says of it. */
import type { Secrets } from '../secrets.ts'
import type { McpTarget } from './config.ts'
import { pathFrom } from './data-dir.ts'
import { type McpSettings, targetFault } from './plugin-schema.ts'
import { basicCredential, rememberLiterals } from './secret-values.ts'
import type { SourcePath } from './source-node.ts'
import type { ValueChecker } from './value-checker.ts'

export interface TargetOptions {
  readonly checker: ValueChecker
  /** What relative paths are relative to. */
  readonly folder: string
  readonly home: string
  readonly secrets: Secrets
  /** Of a disabled plugin, variables may be missing; its address is not checked. */
  readonly enabled: boolean
}

/** The target of the settings at `path`, or undefined after its faults were added to the problems. */
export function mcpTarget(settings: McpSettings, path: SourcePath, options: TargetOptions): McpTarget | undefined {
  const { command, url } = settings
  rememberLiterals(settings, options.secrets)
  const fault = targetFault(settings)
  if (fault !== undefined) options.checker.refuse(path, () => fault)
  else if (command !== undefined) return { transport: 'stdio', ...processOf(command, settings, options) }
  else if (url !== undefined) {
    const target = httpTarget(url, settings.headers ?? {}, [...path, 'url'], options)
    return target && { ...target, ...(settings.type !== undefined && { type: settings.type }) }
  }
  return undefined
}

interface ProcessTarget {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** The process that a config asks for: paths made absolute, what is absent filled in. */
export function processOf(
  command: string,
  settings: Pick<McpSettings, 'args' | 'env' | 'cwd'>,
  { folder, home }: Pick<TargetOptions, 'folder' | 'home'>,
): ProcessTarget {
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'))
  return {
    command: isPath ? pathFrom(folder, home, command) : command,
    args: settings.args ?? [],
    env: settings.env ?? {},
    cwd: settings.cwd === undefined ? folder : pathFrom(folder, home, settings.cwd),
  }
}

function httpTarget(
  written: string,
  headers: Readonly<Record<string, string>>,
  path: SourcePath,
  { checker, enabled }: TargetOptions,
): (McpTarget & { readonly transport: 'http' }) | undefined {
  if (!enabled) return { transport: 'http', url: written, headers }
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol)) {
    checker.refuse(path, () => 'expected an address that begins with http:// or https://')
    return undefined
  }
  const url = new URL(written)
  const credential = basicCredential(url)
  // `fetch` refuses an address with credentials in it, so they travel as the header that they stand for.
  url.username = ''
  url.password = ''
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (named || credential === undefined) return { transport: 'http', url: url.href, headers }
  const authorization = `Basic ${credential}`
  return { transport: 'http', url: url.href, headers: { ...headers, Authorization: authorization } }
}
