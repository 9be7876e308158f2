/** The guards in front of every request: who may address this endpoint, from where, and in which form. */
import type { IncomingMessage } from 'node:http'
import {
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { REFUSED, type Refusal, refusal } from './reply.ts'

export interface GuardOptions {
  /** What a Host header may name besides loopback: a host name, or one with its port. */
  readonly hosts: readonly string[]
  /**
   * Where a browser's request may come from besides loopback: a host name, or a whole origin such as
   * `https://app.example.com`.
   */
  readonly origins: readonly string[]
}

/** Why the request is not served, or undefined when it may pass. */
export type Guard = (request: IncomingMessage) => Refusal | undefined

/**
 * Refuses a Host that is not ours with 403, so that a page whose name was rebound to this address gets nothing, and an
 * Origin that is not ours likewise (specification 2026-07-28, Streamable HTTP, security warning).
 */
export function createOriginGuard({ hosts, origins }: GuardOptions): Guard {
  const hostnames = [...localhostAllowedHostnames(), ...hosts.map((host) => host.toLowerCase())]
  const originNames = [
    ...localhostAllowedOrigins(),
    ...origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')),
  ]
  // Nearly every request names the same host; parsing it as a URL each time would be the dearest part of the guards.
  let accepted: string | undefined
  return ({ headers: { host, origin } }) => {
    if (host === accepted && host !== undefined && origin === undefined) return undefined
    if (!hostnames.includes(host?.toLowerCase() ?? '') && !validateHostHeader(host, hostnames).ok)
      return forbidden(`the host ${quote(host)} is not served here; add it to http.hosts if it should be`)
    if (!originNames.includes(origin?.toLowerCase() ?? '') && !validateOriginHeader(origin, originNames).ok)
      return forbidden(
        `requests from the origin ${quote(origin)} are not served; add it to http.origins if they should be`,
      )
    accepted = host
    return undefined
  }
}

/** Refuses a POST whose body is no JSON (415) or whose sender does not take both forms of an answer (406). */
export const guardPost: Guard = ({ headers }) => {
  if (!isJsonContentType(headers['content-type']))
    return refusal(
      415,
      REFUSED,
      `the content type ${quote(headers['content-type'])} is not understood; send application/json`,
    )
  if (!accepts(headers.accept, 'application/json') || !accepts(headers.accept, 'text/event-stream'))
    return refusal(
      406,
      REFUSED,
      'the answer is JSON or an event stream; send "accept: application/json, text/event-stream"',
    )
  return undefined
}

/** Refuses a GET whose sender does not take an event stream (406). */
export const guardGet: Guard = ({ headers }) =>
  accepts(headers.accept, 'text/event-stream')
    ? undefined
    : refusal(406, REFUSED, 'the answer is an event stream; send "accept: text/event-stream"')

function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined) return false
  if (header.includes(type)) return true
  const [family] = type.split('/')
  return header.split(',').some((part) => {
    const range = part.split(';')[0]?.trim().toLowerCase()
    return range === '*/*' || range === `${family}/*` || range === type
  })
}

function forbidden(message: string): Refusal {
  return refusal(403, REFUSED, message)
}

function quote(value: string | undefined): string {
  return value === undefined ? '(none)' : JSON.stringify(value)
}
