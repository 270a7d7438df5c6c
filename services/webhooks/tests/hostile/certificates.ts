import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type Extension,
  type X509Certificate,
} from '@peculiar/x509'
import { webcrypto } from 'node:crypto'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** A certificate with its key; what it signs names it as issuer. */
export type Issued = Readonly<{ certificate: X509Certificate; keys: webcrypto.CryptoKeyPair }>

type Wanted = Readonly<{
  name: string
  /** Null: it signs itself. */
  issuer: Issued | null
  isAuthority?: boolean
  hosts?: readonly string[]
  addresses?: readonly string[]
  isForClients?: boolean
  validFromMs?: number
  validToMs?: number
}>

/** Makes a certificate for a server, valid for a day around now unless said otherwise. */
export const issue = async (wanted: Wanted): Promise<Issued> => {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const names = [
    ...(wanted.hosts ?? []).map((value) => ({ type: 'dns', value }) as const),
    ...(wanted.addresses ?? []).map((value) => ({ type: 'ip', value }) as const),
  ]
  const extensions: Extension[] = [
    new BasicConstraintsExtension(wanted.isAuthority === true, undefined, true),
  ]
  const { clientAuth, serverAuth } = ExtendedKeyUsage
  if (!wanted.isAuthority)
    extensions.push(new ExtendedKeyUsageExtension([wanted.isForClients ? clientAuth : serverAuth]))
  if (names.length > 0) extensions.push(new SubjectAlternativeNameExtension(names))
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${wanted.name}`,
    issuer: wanted.issuer?.certificate.subject ?? `CN=${wanted.name}`,
    notBefore: new Date(wanted.validFromMs ?? Date.now() - DAY_MS),
    notAfter: new Date(wanted.validToMs ?? Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: (wanted.issuer?.keys ?? keys).privateKey,
    extensions,
  })
  return { certificate, keys }
}

/** Formats a chain for a TLS server: the server's certificate first, then the intermediate ones that clients need. */
export const asServer = async (
  issued: Issued,
  ...chain: readonly Issued[]
): Promise<{ key: string; cert: string }> => {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', issued.keys.privateKey)
  const base64 = Buffer.from(bytes).toString('base64')
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
    cert: [issued, ...chain].map(({ certificate }) => certificate.toString('pem')).join('\n'),
  }
}
