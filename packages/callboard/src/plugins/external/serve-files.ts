/** Answers what an external plugin asks of the files that it keeps with the host. */
import type { ReceivedRequest, ResponseBody } from '@callboard/sdk/external'
import type { PluginFiles } from './plugin-files.ts'

type FileRequest = Extract<ReceivedRequest, { case: 'storageRead' | 'storageWrite' | 'storageDelete' | 'storageList' }>

/** Throws what the files throw. A file that is not there is empty and of version 0. */
export async function serveFiles(files: PluginFiles, request: FileRequest): Promise<ResponseBody> {
  switch (request.case) {
    case 'storageRead': {
      const file = await files.read(request.value.path)
      const { content = new Uint8Array(), metadata, version = 0 } = file ?? {}
      const value = { content, version: BigInt(version), ...(metadata && { metadata }) }
      return { case: 'storageRead', value }
    }
    case 'storageWrite': {
      const { path, content, metadata, expectedVersion } = request.value
      const written = await files.write(path, { content, metadata }, Number(expectedVersion))
      const version = BigInt(written.version)
      if (written.outcome === 'written') return { case: 'storageWrite', value: { success: true, newVersion: version } }
      const error = `version conflict: "${path}" has version ${version}, and ${expectedVersion} was expected`
      return { case: 'storageWrite', value: { success: false, newVersion: version, error } }
    }
    case 'storageDelete':
      return { case: 'storageDelete', value: { success: await files.delete(request.value.path) } }
    case 'storageList': {
      const entries = await files.list(request.value.prefix, request.value.pattern)
      return {
        case: 'storageList',
        value: {
          entries: entries.map(({ path, size, version, modifiedAt }) => ({
            path,
            size: BigInt(size),
            version: BigInt(version),
            modifiedAt: { seconds: BigInt(Math.floor(modifiedAt.getTime() / 1000)) },
          })),
        },
      }
    }
  }
}
