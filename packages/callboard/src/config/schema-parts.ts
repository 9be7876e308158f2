/** The pieces that the config's schemas are made of. */
import { z } from 'zod'
import { DURATION, MAX_TIMER_MS, parseDuration } from './duration.ts'
import { parseSize, SIZE } from './size.ts'

/** Text that a process or a file system can take. */
export const text: z.ZodString = z.string().refine((value) => !value.includes('\0'), 'a zero character in a text')

/** A duration as written; in milliseconds once parsed. */
export const duration: z.ZodType<number> = z
  .union([z.number().min(0), z.string().regex(DURATION, 'expected a duration such as 500ms, 60s, 2m, 1h or 30d')])
  .transform((written) => parseDuration(written) ?? 0)

/** A duration for which something is waited for. */
export const wait: z.ZodType<number> = duration.refine(
  (ms) => ms >= 1 && ms <= MAX_TIMER_MS,
  'expected a duration from 1ms to 24d',
)

/** A size as written; in bytes once parsed. */
export const size: z.ZodType<number> = z
  .string()
  .regex(SIZE, 'expected a size such as 500MB or 1.5GB')
  .transform((written) => parseSize(written) ?? 0)

/** A number of calls that run at once. */
export const concurrency: z.ZodInt = z.int().min(1).max(10_000)

/** The name of a user, a role or a token. */
export const name: z.ZodString = text
  .max(128)
  .regex(/^\S+$/, 'expected a name without spaces')
  .refine((value) => !/\p{Cc}/u.test(value), 'expected a name without control characters')

/** Matches names; `*` stands for any run of characters. */
export const pattern: z.ZodString = text
  .min(1, 'expected a pattern such as get_*')
  .describe('A name, in which * stands for any run of characters.')

/** A mapping from names to values of one kind. */
export function record<Value>(key: z.ZodString, value: z.ZodType<Value>): z.ZodRecord<z.ZodString, z.ZodType<Value>> {
  return z.record(key, value)
}

/** Variables of an environment. */
export function envVars<Value>(value: z.ZodType<Value>): z.ZodRecord<z.ZodString, z.ZodType<Value>> {
  return record(text.regex(/^[^=]+$/, 'expected the name of a variable, without ='), value)
}

/** HTTP headers that can be sent as they are. */
export const headers: z.ZodRecord<z.ZodString, z.ZodType<string>> = record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of an HTTP header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a header cannot hold line breaks or characters outside Latin-1'),
)

interface StartParts {
  readonly args: z.ZodOptional<z.ZodArray<z.ZodString>>
  readonly env: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<string>>>
  readonly cwd: z.ZodOptional<z.ZodString>
}

/** What starts a process. */
export const command: z.ZodString = text
  .min(1, 'expected a program')
  .describe('The program to start: found in PATH, or a path relative to this file. No shell is involved.')

/** How it starts. */
export const start: StartParts = {
  args: z.array(text).describe('Its arguments, one by one.').optional(),
  env: envVars(text).describe('Its environment, besides PATH, HOME and the like.').optional(),
  cwd: text
    .min(1, 'expected a folder')
    .describe('The folder it starts in, relative to this file. Default: the folder of this file.')
    .optional(),
}
