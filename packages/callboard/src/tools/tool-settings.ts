/** What a config asks for in the tools of one plugin, and the tools as they are after it. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import { patternMatcher } from './pattern.ts'

/** What the config overrides in one tool. */
export interface ToolOverride {
  readonly title?: string
  readonly description?: string
  readonly permission?: string
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
  readonly surfaces?: readonly Surface[]
  readonly timeoutMs?: number
}

/** Which tools of a plugin stay, and what is different about some of them. Patterns are on declared names. */
export interface ToolSettings {
  /** Keeps only what matches; empty keeps all. */
  readonly keep: readonly string[]
  /** Drops what matches, after `keep`. */
  readonly drop: readonly string[]
  /** By declared name. */
  readonly overrides: ReadonlyMap<string, ToolOverride>
}

/** Every tool, as it is. */
export const ALL_TOOLS: ToolSettings = { keep: [], drop: [], overrides: new Map() }

/** A setting without effect: a pattern that matches no tool, or an override of a tool that is not there. */
interface IdleSetting {
  readonly setting: keyof ToolSettings
  /** The pattern, or the declared name. */
  readonly text: string
}

export interface AppliedSettings {
  readonly tools: readonly ToolDefinition[]
  readonly idle: readonly IdleSetting[]
}

/**
 * The tools that stay, in the order given, with their overrides. A tool that nothing changes stays the same object. An
 * override is made in `listed` too, so that a listing that passes it on shows what the config says. `timeoutMs` is no
 * part of a definition: whoever runs the tool looks it up in the settings.
 */
export function applyToolSettings(definitions: readonly ToolDefinition[], settings: ToolSettings): AppliedSettings {
  const keeps = settings.keep.length === 0 ? () => true : patternMatcher(settings.keep)
  const drops = patternMatcher(settings.drop)
  const kept = definitions.filter(({ name }) => keeps(name) && !drops(name))
  const tools = kept.map((definition) => {
    const override = settings.overrides.get(definition.name)
    return override === undefined ? definition : overridden(definition, override)
  })
  return { tools, idle: [...idlePatterns(definitions, settings), ...idleOverrides(kept, settings)] }
}

function idlePatterns(definitions: readonly ToolDefinition[], settings: ToolSettings): readonly IdleSetting[] {
  return (['keep', 'drop'] as const).flatMap((setting) =>
    settings[setting]
      .map((text) => ({ setting, text, matches: patternMatcher([text]) }))
      .filter(({ matches }) => !definitions.some(({ name }) => matches(name)))
      .map(({ text }) => ({ setting, text })),
  )
}

function idleOverrides(kept: readonly ToolDefinition[], settings: ToolSettings): readonly IdleSetting[] {
  const names = new Set(kept.map(({ name }) => name))
  return [...settings.overrides.keys()]
    .filter((name) => !names.has(name))
    .map((text) => ({ setting: 'overrides', text }))
}

function overridden(definition: ToolDefinition, override: ToolOverride): ToolDefinition {
  const { timeoutMs: _, ...changes } = override
  if (Object.keys(changes).length === 0) return definition
  const { listed } = definition
  return { ...definition, ...changes, ...(listed && { listed: relisted(listed, override) }) }
}

/** The listed tool of an MCP server with the overridden fields, under the names that the protocol gives them. */
function relisted(listed: Readonly<Record<string, unknown>>, override: ToolOverride): Record<string, unknown> {
  const { title, description } = override
  const hints = {
    ...(override.readOnly !== undefined && { readOnlyHint: override.readOnly }),
    ...(override.destructive !== undefined && { destructiveHint: override.destructive }),
    ...(override.idempotent !== undefined && { idempotentHint: override.idempotent }),
    ...(override.openWorld !== undefined && { openWorldHint: override.openWorld }),
  }
  const before = typeof listed.annotations === 'object' ? listed.annotations : undefined
  return {
    ...listed,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(Object.keys(hints).length > 0 && { annotations: { ...before, ...hints } }),
  }
}
