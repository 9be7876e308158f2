/** Decides which values of a config are secrets, and registers them so that no log and no error shows them. */
import type { Secrets } from '../secrets.ts'

/** `PWD` and `OLDPWD` say where somebody is; `DB_PWD` and `userPwd` do not. */
const SECRET_NAME =
  /pass(?!ive|through)|secret|token(?!s)|key(?!board|word)|auth(?!or(?!iz))|cookie|credential|(?<!^(?:old)?)pwd/i

/** Values that stand in every log anyway; to replace them would hide the log, not a secret. */
const ORDINARY =
  /^(?:true|false|yes|no|on|off|null|none|auto|trace|debug|info|warn|warning|error|fatal|silent|development|production|staging|test|localhost|\d{1,5})$/i

/** Variables that say where things are, not what is secret. */
const PLACE = /^(?:HOME|USERPROFILE|USER|USERNAME|LOGNAME|PATH|PWD|SHELL|LANG|TZ|TMPDIR|TEMP|TMP|HOSTNAME|XDG_\w+)$/

/** Whether a variable, header, flag, parameter or argument of this name is likely to hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Registers the value of a variable that was expanded into what a plugin is given. */
export function rememberVariable(name: string, value: string, secrets: Secrets): void {
  if (isSecretName(name) || !(PLACE.test(name) || ORDINARY.test(value))) secrets.add(value)
}

/** What a plugin is given and where it may hold a secret as written. */
export interface SecretPlaces {
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
}

/** Registers the secrets that a config holds as they are: by the name beside them, and credentials in a URL. */
export function rememberLiterals(places: SecretPlaces, secrets: Pick<Secrets, 'add'>): void {
  const add = (name: string, value: string): void => {
    // A variable that could not be expanded is refused by its name, which must not be hidden.
    if (value.includes('${')) return
    for (const credential of urlSecrets(value)) secrets.add(credential)
    if (!isSecretName(name) || (ORDINARY.test(value) && !/^\d+$/.test(value))) return
    for (const part of credentialParts(value)) secrets.add(part)
  }
  for (const [name, value] of Object.entries(places.env ?? {})) add(name, value)
  for (const [name, value] of Object.entries(places.headers ?? {})) add(name, value)
  if (places.apiKey !== undefined) secrets.add(places.apiKey)
  if (places.url !== undefined) for (const value of urlSecrets(places.url)) secrets.add(value)
  const args = places.args ?? []
  args.forEach((arg, index) => {
    const pair = /^(?:-{0,2})([\w.-]+)(?:=|:\s*)(.+)$/s.exec(arg)
    if (pair !== null) add(pair[1] ?? '', pair[2] ?? '')
    const next = args[index + 1]
    if (/^--?[\w-]+$/.test(arg) && next !== undefined && !next.startsWith('-')) add(arg, next)
    for (const value of urlSecrets(arg)) secrets.add(value)
  })
}

/** Whether a server is given anything by which it may know whose account to use. */
export function holdsCredential(places: SecretPlaces): boolean {
  let isFound = Object.keys({ ...places.env, ...places.headers }).length > 0
  const add = (): void => {
    isFound = true
  }
  rememberLiterals(places, { add })
  return isFound
}

/** `Bearer x` and `Basic x` hide only `x`, and the password inside a Basic one. */
function credentialParts(value: string): string[] {
  const scheme = /^([A-Za-z][A-Za-z-]*) +(\S+)$/.exec(value)
  if (scheme === null) return [value]
  const credential = scheme[2] ?? ''
  if (scheme[1]?.toLowerCase() !== 'basic') return [credential]
  const password = /:(.*)$/s.exec(Buffer.from(credential, 'base64').toString())?.[1]
  return password === undefined ? [credential] : [credential, password]
}

/**
 * The credentials before the host of a URL, also as a header, and the values of its query that are named like secrets;
 * each also decoded.
 */
function urlSecrets(text: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return []
  const url = new URL(text)
  const found = [url.password === '' ? url.username : url.password].filter((part) => part !== '')
  for (const [name, value] of url.searchParams) if (isSecretName(name)) found.push(value)
  const raw = url.search
    .slice(1)
    .split('&')
    .flatMap((pair) => {
      const [name = '', value = ''] = pair.split('=', 2)
      return isSecretName(name) ? [value] : []
    })
  const basic = basicCredential(url)
  return [...new Set([...found, ...found.map(decodedText), ...raw, ...(basic === undefined ? [] : [basic])])].filter(
    (value) => !ORDINARY.test(value),
  )
}

/** What follows `Basic ` in the header that the credentials of a URL stand for; undefined when it has none. */
export function basicCredential({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return Buffer.from([username, password].map(decodedText).join(':')).toString('base64')
}

/** The text without its percent-encoding; as it is when it has none or a broken one. */
function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray % means that nothing was encoded; the value as it stands is the secret.
    return text
  }
}
