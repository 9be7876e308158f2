/**
 * Files with secrets: readable by their owner alone, as are the folders that are made for them, and whole at every
 * moment.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts `text` in place of whatever the file held. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  await withNewFile(file, text, (fresh) => rename(fresh, file))
}

/** Makes the file, unless another process was quicker. Whether it was made. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  return await withNewFile(file, text, async (fresh) => {
    try {
      await link(fresh, file)
      return true
    } catch (error) {
      if (isExisting(error)) return false
      throw error
    }
  })
}

async function withNewFile<T>(file: string, text: string, use: (fresh: string) => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    return await use(fresh)
  } finally {
    await rm(fresh, { force: true })
  }
}

function isExisting(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST'
}
