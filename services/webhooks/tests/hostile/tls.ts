import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { delivered, failed, whole, writes, type Behaviour } from './behaviour.ts'
import { asServer, issue, type Issued } from './certificates.ts'

/** The name under which every receiver of this table is reached. */
export const HOST = 'hooks.example.test'
const DAY_MS = 86_400_000

/** Whom the platform trusts and whom it does not. */
export type Authorities = Readonly<{ root: Issued; intermediate: Issued; stranger: Issued }>

export const makeAuthorities = async (): Promise<Authorities> => {
  const root = await issue({ name: 'Trusted root', issuer: null, isAuthority: true })
  return {
    root,
    intermediate: await issue({ name: 'Intermediate', issuer: root, isAuthority: true }),
    stranger: await issue({ name: 'Unknown root', issuer: null, isAuthority: true }),
  }
}

/** A behaviour of the TLS layer; what answers above it is always a plain 200. */
export type TlsBehaviour = Behaviour &
  Readonly<{
    /** Host of the URL. */
    host: string
    server: (authorities: Authorities, serve: (socket: Socket) => void) => Promise<Server>
  }>

type Wanted = Partial<Omit<Parameters<typeof issue>[0], 'issuer'>>

const withCertificate =
  (
    wanted: Wanted,
    {
      issuer,
      chain = () => [],
    }: { issuer: (of: Authorities) => Issued | null; chain?: (of: Authorities) => Issued[] },
    options: TlsOptions = {},
  ): TlsBehaviour['server'] =>
  async (authorities, serve) => {
    const own = await issue({ name: 'Receiver', hosts: [HOST], ...wanted, issuer: issuer(authorities) })
    return createServer({ ...(await asServer(own, ...chain(authorities))), ...options }, serve).on(
      'tlsClientError',
      () => undefined,
    )
  }

const byRoot = { issuer: (of: Authorities) => of.root }
const old = (version: 'TLSv1' | 'TLSv1.1') =>
  ({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }) as const

const tls = (
  receiver: string,
  server: TlsBehaviour['server'],
  outcome: Behaviour['outcome'],
  host = HOST,
): TlsBehaviour => ({
  receiver,
  answer: writes(whole(200, 'ok')),
  host,
  server,
  outcome,
  requests: outcome.status === 'delivered' ? 1 : 0,
})

const ok = delivered(200, 'ok')

const ACCEPTED: readonly TlsBehaviour[] = [
  tls('has a certificate of a trusted authority', withCertificate({}, byRoot), ok),
  tls(
    'has a certificate of an intermediate authority and sends that one’s too',
    withCertificate({}, { issuer: (of) => of.intermediate, chain: (of) => [of.intermediate] }),
    ok,
  ),
  tls('has a certificate for `*.example.test`', withCertificate({ hosts: ['*.example.test'] }, byRoot), ok),
  tls(
    'is registered by its address, and has a certificate for the address',
    withCertificate({ hosts: [], addresses: ['127.0.0.1'] }, byRoot),
    ok,
    '127.0.0.1',
  ),
  tls('speaks TLS 1.2 alone', withCertificate({}, byRoot, { maxVersion: 'TLSv1.2' }), ok),
]

const refused = (code: string) => failed(`TLS: ${code}`)

const REFUSED: readonly TlsBehaviour[] = [
  tls(
    'has an expired certificate',
    withCertificate({ validFromMs: Date.now() - 3 * DAY_MS, validToMs: Date.now() - DAY_MS }, byRoot),
    refused('CERT_HAS_EXPIRED'),
  ),
  tls(
    'has a certificate that is not valid yet',
    withCertificate({ validFromMs: Date.now() + DAY_MS, validToMs: Date.now() + 2 * DAY_MS }, byRoot),
    refused('CERT_NOT_YET_VALID'),
  ),
  tls(
    'has a certificate for another host',
    withCertificate({ hosts: ['other.example.test'] }, byRoot),
    refused('ERR_TLS_CERT_ALTNAME_INVALID'),
  ),
  tls(
    'has a certificate for one label more than its host',
    withCertificate({ hosts: [`*.${HOST}`] }, byRoot),
    refused('ERR_TLS_CERT_ALTNAME_INVALID'),
  ),
  tls(
    'is registered by its address, and has a certificate for a name',
    withCertificate({}, byRoot),
    refused('ERR_TLS_CERT_ALTNAME_INVALID'),
    '127.0.0.1',
  ),
  tls(
    'has a self-signed certificate',
    withCertificate({}, { issuer: () => null }),
    refused('DEPTH_ZERO_SELF_SIGNED_CERT'),
  ),
  tls(
    'has a certificate of an unknown authority',
    withCertificate({}, { issuer: (of) => of.stranger }),
    refused('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  ),
  tls(
    'has a certificate of an unknown authority and sends that one’s too',
    withCertificate({}, { issuer: (of) => of.stranger, chain: (of) => [of.stranger] }),
    refused('SELF_SIGNED_CERT_IN_CHAIN'),
  ),
  tls(
    'leaves out the intermediate certificate',
    withCertificate({}, { issuer: (of) => of.intermediate }),
    refused('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  ),
  tls(
    'has a certificate for clients',
    withCertificate({ isForClients: true }, byRoot),
    refused('INVALID_PURPOSE'),
  ),
  tls(
    'speaks TLS 1.0 alone',
    withCertificate({}, byRoot, old('TLSv1')),
    refused('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
  ),
  tls(
    'speaks TLS 1.1 alone',
    withCertificate({}, byRoot, old('TLSv1.1')),
    refused('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
  ),
  tls(
    'asks for a certificate of the platform',
    withCertificate({}, byRoot, { requestCert: true, rejectUnauthorized: true }),
    refused('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
  ),
]

const plain: TlsBehaviour['server'] = async () => createTcpServer()
const broken = (
  receiver: string,
  accept: (socket: Socket) => void,
  outcome: Behaviour['outcome'],
): TlsBehaviour => ({ ...tls(receiver, plain, outcome), accept })

const BROKEN: readonly TlsBehaviour[] = [
  broken(
    'speaks plain HTTP on its https port',
    (socket) => socket.write(whole(400, 'plain')),
    refused('ERR_SSL_WRONG_VERSION_NUMBER'),
  ),
  broken(
    'resets in the handshake',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    failed('connection reset'),
  ),
  broken(
    'closes in the handshake',
    (socket) => socket.once('data', () => socket.end()),
    failed('connection reset'),
  ),
]

/** TLS behaviours of a receiver. */
export const TLS: readonly TlsBehaviour[] = [...ACCEPTED, ...REFUSED, ...BROKEN]
