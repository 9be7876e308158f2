/** Opens a run of a plugin that speaks the existing protocol, `orchestra-plugin`, and knows nothing of Callboard. */
import { dialLink, type Link, whyNoQuic } from '@callboard/sdk/external'
import type { OrchestraTarget } from '../../../config/config.ts'
import { CallboardError, messageOf } from '../../../errors.ts'
import { createOrchestraIdentity, type OrchestraIdentity } from '../identity/orchestra-identity.ts'
import type { Opened, Opening } from '../opening.ts'
import { PluginFiles } from '../plugin-files.ts'
import { PluginProcess } from '../plugin-process.ts'
import { answerPlugin } from './answer-plugin.ts'
import { listenForCallBacks, PROTOCOL } from './call-back-listener.ts'
import { OrchestraPeer } from './orchestra-peer.ts'
import { Registration } from './registration.ts'
import { Subscriptions } from './subscriptions.ts'

/** Resolves when the plugin has booted, and registered where it is granted anything. */
export async function openOrchestra(opening: Opening, signal: AbortSignal): Promise<Opened> {
  const { id, target, home, parts, knownTools, onToolsChanged, log } = opening
  if (target.kind !== 'process' || target.orchestra === undefined)
    throw new CallboardError('internal', 'no plugin of the existing protocol')
  const { grants, boot } = target.orchestra
  const why = await whyNoQuic()
  if (why !== undefined)
    throw new CallboardError('unavailable', `its protocol needs QUIC, which can't be used here: ${why}`)
  const identity = await createOrchestraIdentity(home.certificatesOf(id))
  const hostSide = Object.values(grants).flat().some(Boolean)
    ? await openHostSide(opening, target.orchestra, identity)
    : undefined
  const link = await dial(
    opening,
    hostSide === undefined ? [] : ['--orchestrator-addr', hostSide.address],
    identity,
    signal,
  )
  parts.add((reason) => link.close(reason))
  const peer = new OrchestraPeer({
    pluginId: id,
    link,
    streaming: knownTools.filter(({ streaming }) => streaming === true).map(({ name }) => name),
    onToolsChanged,
    reports: () => hostSide?.registration.shortcomings(grants) ?? [],
  })
  const running = parts.whileRunning(signal)
  if (hostSide !== undefined) {
    await hostSide.registration.wait(running)
    if (hostSide.registration.manifest === undefined)
      log.warn('the plugin does not register, though it is granted what it could only ask for then')
    hostSide.subscriptions.open((event, until) => peer.publish(event, until))
  }
  await peer.boot(boot, running)
  return { peer, ended: link.ended.then(({ message }) => message) }
}

interface HostSide {
  readonly address: string
  readonly registration: Registration
  readonly subscriptions: Subscriptions
}

async function openHostSide(
  opening: Opening,
  { grants }: OrchestraTarget,
  identity: OrchestraIdentity,
): Promise<HostSide> {
  const { id, target, home, host, calls, parts, log, secrets } = opening
  const registration = new Registration(id)
  const bus = home.events
  const subscriptions = new Subscriptions(bus, log)
  parts.add(() => subscriptions.end())
  const files = new PluginFiles(home.filesOf(id), target.maxStorageBytes)
  const redact = (text: string): string => secrets.redact(text)
  const answer = answerPlugin({ pluginId: id, host, grants, calls, files, bus, subscriptions, registration, redact })
  const listener = await listenForCallBacks({ credentials: identity.listening, answer, log })
  parts.add(() => listener.close())
  return { address: listener.address, registration, subscriptions }
}

async function dial(
  { target, home, id, watcher, log, secrets, parts }: Opening,
  words: readonly string[],
  { dialling }: OrchestraIdentity,
  signal: AbortSignal,
): Promise<Link> {
  if (target.kind !== 'process') throw new CallboardError('internal', 'no process to start')
  signal.throwIfAborted()
  const process = await PluginProcess.start({
    // Where it keeps what is the user's, and not the host's.
    command: { ...target, env: { ORCHESTRA_WORKSPACE: target.cwd, ...target.env } },
    certificates: home.certificatesOf(id),
    words,
    watcher,
    log,
    secrets,
  })
  parts.process = process
  const address = await process.listening(signal)
  const running = parts.whileRunning(signal)
  try {
    return await dialLink('quic', { address, credentials: dialling, protocols: [PROTOCOL], signal: running })
  } catch (error) {
    running.throwIfAborted()
    log.warn({ reason: messageOf(error) }, 'the plugin was not accepted')
    throw new CallboardError('unavailable', `no link to it: ${messageOf(error)}`, { cause: error })
  }
}
