/** Makes certificates (X.509, RFC 5280): authorities, and leaves that they sign. */
// tsyringe, on which @peculiar/x509 is built, looks for it when it is loaded.
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
/** Clocks differ; a certificate is valid a little before it was made. */
const SKEW_MS = 60 * 60 * 1000

/** A certificate and its private key (PKCS #8), both in PEM. */
export interface KeyedCertificate {
  readonly certificate: string
  readonly key: string
}

export interface Validity {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly forMs: number
}

/** What a leaf is for: to listen, or to dial. */
type LeafUse = 'server' | 'client'

export interface LeafOptions extends Validity {
  readonly name: string
  /** Who its holder is. */
  readonly uri: string
  readonly use: LeafUse
  /**
   * The names of hosts that it stands for; `localhost` unless given, since whoever dials looks at the URI for who it
   * is.
   */
  readonly dnsNames?: readonly string[]
  /** The numbers of hosts that it stands for, for whoever dials one; none unless given. */
  readonly addresses?: readonly string[]
}

/** An authority that signs leaves and no other authorities. */
export async function createAuthority(name: string, { from, forMs }: Validity): Promise<KeyedCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(from - SKEW_MS),
    notAfter: new Date(from + forMs),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return keyed(certificate, keys.privateKey)
}

/** A leaf with a new key. */
export async function issueLeaf(
  authority: KeyedCertificate,
  { name, uri, use, dnsNames = ['localhost'], addresses = [], from, forMs }: LeafOptions,
): Promise<KeyedCertificate> {
  const issuer = new X509Certificate(authority.certificate)
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [name] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(from - SKEW_MS),
    notAfter: new Date(from + forMs),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([use === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([
        ...dnsNames.map((value) => ({ type: 'dns', value }) as const),
        ...addresses.map((value) => ({ type: 'ip', value }) as const),
        { type: 'url', value: uri },
      ]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return keyed(certificate, keys.privateKey)
}

/** When a certificate begins and ends to be valid, in milliseconds since the epoch. */
export function validityOf(certificate: string): { readonly notBefore: number; readonly notAfter: number } {
  const { notBefore, notAfter } = new X509Certificate(certificate)
  return { notBefore: notBefore.getTime(), notAfter: notAfter.getTime() }
}

async function keyed(certificate: X509Certificate, key: webcrypto.CryptoKey): Promise<KeyedCertificate> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key)
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `${PemConverter.encode(der, 'PRIVATE KEY')}\n`,
  }
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = PemConverter.decodeFirst(pem)
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
}

/** Positive and of 16 bytes (RFC 5280, 4.1.2.2: at most 20). */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}
