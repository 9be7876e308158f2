/** Opens a run of a plugin that speaks `callboard/1`. */
import { type Link, parseAddress, serveLink } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../errors.ts'
import { answerCallBacks, CALL_BACK_LIMITS } from './call-backs.ts'
import { CertificateFolder } from './identity/certificate-folder.ts'
import { openLink, transportsFor } from './open-link.ts'
import type { Opened, Opening } from './opening.ts'
import { PluginFiles } from './plugin-files.ts'
import { PluginPeer } from './plugin-peer.ts'
import { PluginProcess } from './plugin-process.ts'

/** Resolves when the plugin has answered the first message. */
export async function openCallboard(opening: Opening, signal: AbortSignal): Promise<Opened> {
  const { id, target, home, host, calls, parts, secrets, onToolsChanged, version } = opening
  const link = await openParts(opening, signal)
  parts.add((reason) => link.close(reason))
  const answer = answerCallBacks({
    host,
    callOf: (requestId) => calls.get(requestId),
    files: new PluginFiles(home.filesOf(id), target.maxStorageBytes),
    onToolsChanged,
    redact: (text) => secrets.redact(text),
  })
  const ended = serveLink(link, answer, CALL_BACK_LIMITS).then(({ message }) => message, messageOf)
  const greeting = { pluginId: id, software: `callboard ${version}`, signal: parts.whileRunning(signal) }
  return { peer: await PluginPeer.greet(link, greeting), ended }
}

async function openParts(opening: Opening, signal: AbortSignal): Promise<Link> {
  const { id, target, home, watcher, log, secrets, parts } = opening
  const identity = await home.identity()
  const folder = (target.kind === 'address' ? target.certs : undefined) ?? home.certificatesOf(id)
  const certificates = await CertificateFolder.fill({ identity, pluginId: id, folder, log })
  parts.add(() => certificates.end())
  const transports = await transportsFor(target.transport)
  signal.throwIfAborted()
  if (target.kind === 'process') {
    const words = transports[0] === 'tls' ? ['--transport', 'tls'] : []
    parts.process = await PluginProcess.start({ command: target, certificates: folder, words, watcher, log, secrets })
  }
  const address = target.kind === 'address' ? parseAddress(target.address) : await parts.process?.listening(signal)
  if (address === undefined) throw new CallboardError('internal', 'a process without an address')
  const dialling = { pluginId: id, address, transports, credentials: await identity.credentials(), log }
  return await openLink(dialling, parts.whileRunning(signal))
}
