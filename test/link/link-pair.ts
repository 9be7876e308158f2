/** Two ends of a link in one process, and what tests do with streams. */
import { once } from 'node:events'
import {
  type Address,
  type DialOptions,
  dialLink,
  HOST_URI,
  type Link,
  type LinkError,
  type LinkListener,
  type LinkStream,
  type LinkTerms,
  listenForLinks,
  pluginUri,
  type Transport,
} from '@callboard/sdk/external'
import { createParty, PLUGIN_ID, type TestParty } from './credentials.ts'

export const PROTOCOL = 'callboard/1'

interface Refusal {
  readonly from: string
  readonly error: LinkError
}

/** A listener under test, with what it let in and what it did not. */
export interface TestListener extends AsyncDisposable {
  readonly listener: LinkListener
  readonly address: Address
  /** The next link that is let in. */
  nextLink(): Promise<Link>
  /** The next refusal. */
  nextRefusal(): Promise<Refusal>
}

export interface TestTerms extends Partial<LinkTerms> {
  readonly host?: string
  /** A free one when absent. */
  readonly port?: number
}

export async function startListener(
  transport: Transport,
  party: TestParty,
  terms: TestTerms = {},
): Promise<TestListener> {
  const events = new EventTarget()
  const links: Link[] = []
  const refusals: Refusal[] = []
  const listener = await listenForLinks(transport, {
    credentials: party.plugin,
    protocols: [PROTOCOL],
    expects: HOST_URI,
    ...terms,
    address: { host: terms.host ?? '127.0.0.1', port: terms.port ?? 0 },
    onLink: (link) => {
      links.push(link)
      events.dispatchEvent(new Event('link'))
    },
    onRefused: (from, error) => {
      refusals.push({ from, error })
      events.dispatchEvent(new Event('refusal'))
    },
  })
  const next = async <T>(items: T[], event: string): Promise<T> => {
    while (items.length === 0) await once(events, event)
    const [item] = items.splice(0, 1)
    if (item === undefined) throw new Error(`no ${event}`)
    return item
  }
  return {
    listener,
    address: listener.address,
    nextLink: () => next(links, 'link'),
    nextRefusal: () => next(refusals, 'refusal'),
    [Symbol.asyncDispose]: () => listener.close(),
  }
}

export function dial(
  transport: Transport,
  party: TestParty,
  address: Address,
  options: Partial<DialOptions> = {},
): Promise<Link> {
  return dialLink(transport, {
    address,
    credentials: party.host,
    protocols: [PROTOCOL],
    expects: pluginUri(PLUGIN_ID),
    ...options,
  })
}

/** Both ends of one link. */
export interface LinkPair extends AsyncDisposable {
  readonly dialled: Link
  readonly accepted: Link
  readonly listener: TestListener
}

export async function openPair(
  transport: Transport,
  terms: TestTerms = {},
  via: (address: Address) => Promise<Address> = direct,
): Promise<LinkPair> {
  const party = await createParty()
  const listener = await startListener(transport, party, terms)
  const { host: _host, ...dialTerms } = terms
  const [dialled, accepted] = await Promise.all([
    dial(transport, party, await via(listener.address), dialTerms),
    listener.nextLink(),
  ])
  return {
    dialled,
    accepted,
    listener,
    async [Symbol.asyncDispose]() {
      dialled.close()
      await listener.listener.close()
    },
  }
}

async function direct(address: Address): Promise<Address> {
  return address
}

/** The next stream that the peer opens. */
export async function nextStream(link: Link): Promise<LinkStream> {
  const { value, done } = await link.incoming[Symbol.asyncIterator]().next()
  if (done === true) throw await link.ended
  return value
}

/** A stream opened by `from` and taken by `to`, after one byte has gone through it. */
export async function openStreamPair(from: Link, to: Link): Promise<readonly [LinkStream, LinkStream]> {
  const opened = await from.openStream()
  await opened.write(Buffer.of(0))
  const taken = await nextStream(to)
  await readExactly(taken, 1)
  return [opened, taken]
}

/** All bytes up to the stream's end. */
export async function readAll(stream: LinkStream): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** So many bytes; fails when more or less come. */
async function readExactly(stream: LinkStream, bytes: number): Promise<void> {
  let missing = bytes
  while (missing > 0) {
    const piece = await stream.read()
    if (piece === undefined) throw new Error(`the stream ended ${missing} bytes too early`)
    missing -= piece.length
  }
  if (missing < 0) throw new Error('more came than was expected')
}

/** Answers every stream of the link with its own bytes, until the link ends. */
export async function echoStreams(link: Link): Promise<void> {
  for await (const stream of link.incoming) void echo(stream)
}

async function echo(stream: LinkStream): Promise<void> {
  try {
    for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) await stream.write(piece)
    stream.end()
  } catch {
    // Whoever cut the stream off knows why.
  }
}
