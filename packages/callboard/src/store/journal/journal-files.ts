/**
 * The names of the audit's files: `2026-11-30-36000.jsonl`, by day (UTC), and by the second of the day in which the
 * file was begun: no name is given twice, though the file that had it is gone and nobody who begins another one has
 * ever seen it.
 */
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = /^(\d{4}-\d{2}-\d{2})-(\d{5})\.jsonl$/
const DAY_MS = 86_400_000

/** The day of a moment (milliseconds since the epoch), as in the names of files. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** When the day of a moment is over. */
export function endOfDay(time: number): number {
  return (Math.floor(time / DAY_MS) + 1) * DAY_MS
}

/** The number of a part that is begun at a moment, unless there is a later one already. */
export function partBegunAt(time: number): number {
  return Math.floor((time - Date.parse(dayOf(time))) / 1_000)
}

export function fileName(day: string, part: number): string {
  return `${day}-${String(part).padStart(5, '0')}.jsonl`
}

/** Undefined for a file that is none of the audit's. */
export function partOf(name: string): { readonly day: string; readonly part: number } | undefined {
  const match = NAME.exec(name)
  return match?.[1] === undefined ? undefined : { day: match[1], part: Number(match[2]) }
}

/** When the last row of a file can have been written at the latest. */
export function endOfFile(name: string): number {
  return Date.parse(name.slice(0, 10)) + DAY_MS
}

/** The names of all files, the oldest first; none where there is no folder yet. */
export async function journalFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name)).sort()
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

/** A file of the folder, to be read and closed; undefined when it is not there any more. */
export async function openFile(folder: string, name: string): Promise<FileHandle | undefined> {
  try {
    return await open(join(folder, name), 'r')
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** Whether it says that a file or folder is not there. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
