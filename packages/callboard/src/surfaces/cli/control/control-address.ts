/** Where the control socket of a data folder is: how a host publishes it, and how a command finds it. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { CallboardError, messageOf } from '../../../errors.ts'

/** An address of a Unix socket has at most 103 bytes on macOS and 107 on Linux. */
const MAX_ADDRESS_BYTES = 100
/** What the folders of sockets with too long a path are called. */
const SHORT_PREFIX = 'callboard-'

/** An address that a host may listen at. */
export interface ControlPlace {
  readonly listenAt: string
  /**
   * Makes it the address of the data folder, in one step, instead of whatever was there. To be called once it is
   * listened at.
   */
  publish(): void
  /** Takes it back; harmless before `publish`. */
  remove(): void
}

/** The name under which a data folder has its socket. On Windows it is a file with the name of the pipe. */
function controlFile(dataDir: string): string {
  return join(dataDir, 'control.sock')
}

/**
 * A place to listen at that nobody else can reach. The socket is made in a folder of its own (0700) and moved from
 * there when it has its mode, so there is no moment at which somebody else could connect. Only the holder of the lock
 * may ask.
 */
export function prepareControlPlace(dataDir: string): ControlPlace {
  const file = controlFile(dataDir)
  if (process.platform === 'win32') return pipePlace(file)
  const folder = mkdtempSync(join(dataDir, 'control-'))
  const socket = join(folder, 's')
  if (Buffer.byteLength(socket) <= MAX_ADDRESS_BYTES) {
    return {
      listenAt: socket,
      publish: () => {
        chmodSync(socket, 0o600)
        forgetShortFolder(file)
        renameSync(socket, file)
        rmdirSync(folder)
      },
      remove: () => {
        rmSync(folder, { recursive: true, force: true })
        rmSync(file, { force: true })
      },
    }
  }
  rmdirSync(folder)
  return shortPlace(file)
}

/** The socket in a folder with a short path, and a link to it in the data folder. */
function shortPlace(file: string): ControlPlace {
  const { XDG_RUNTIME_DIR: runtime } = process.env
  const folder = mkdtempSync(join(runtime !== undefined && isAbsolute(runtime) ? runtime : tmpdir(), SHORT_PREFIX))
  const socket = join(folder, 's')
  return {
    listenAt: socket,
    publish: () => {
      chmodSync(socket, 0o600)
      forgetShortFolder(file)
      replaceBy(file, (written) => symlinkSync(socket, written))
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
      rmSync(file, { force: true })
    },
  }
}

/** A pipe with a name that can't be guessed; only who may read the data folder learns it. */
function pipePlace(file: string): ControlPlace {
  const pipe = `\\\\.\\pipe\\callboard-${randomBytes(16).toString('hex')}`
  return {
    listenAt: pipe,
    publish: () => replaceBy(file, (written) => writeFileSync(written, pipe, { mode: 0o600 })),
    remove: () => rmSync(file, { force: true }),
  }
}

function replaceBy(file: string, write: (path: string) => void): void {
  const written = `${file}.${process.pid}`
  rmSync(written, { force: true })
  write(written)
  renameSync(written, file)
}

/** A host that was killed leaves its folder behind, and only the link that is about to go still knows it. */
function forgetShortFolder(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  const socket = readlinkSync(file)
  if (!basename(dirname(socket)).startsWith(SHORT_PREFIX)) return
  try {
    unlinkSync(socket)
    rmdirSync(dirname(socket))
  } catch {
    // It has gone, or somebody else has it now; neither keeps a host from serving.
  }
}

/**
 * The address of the data folder's socket; undefined when there is none. Throws `denied` when the socket, or the folder
 * that a link leads to, belongs to somebody else: what a command has to say is not for them.
 */
export function findControlAddress(dataDir: string): string | undefined {
  const file = controlFile(dataDir)
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (process.platform === 'win32') return readFileSync(file, 'utf8')
    if (!found.isSymbolicLink()) return mine(file, found.uid, dataDir)
    const socket = readlinkSync(file)
    const folder = lstatSync(dirname(socket), { throwIfNoEntry: false })
    if (folder === undefined) return undefined
    return mine(socket, (folder.mode & 0o077) === 0 ? folder.uid : undefined, dataDir)
  } catch (error) {
    if (error instanceof CallboardError) throw error
    // No folder, so no host; whoever opens the store says what is wrong with it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw new CallboardError('denied', `can't look for a running host in ${dataDir}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function mine(address: string, owner: number | undefined, dataDir: string): string {
  const me = process.getuid?.()
  // Root may use the host of whoever owns the data folder, as it may everything else.
  if (owner !== undefined && (owner === me || (me === 0 && owner === statSync(dataDir).uid))) return address
  throw new CallboardError('denied', `${address} belongs to somebody else, so no command is sent there; remove it`)
}
