import {
  BLOB_SETTINGS,
  ConfigError,
  KEY_SETTINGS,
  loadSettings,
  REFUND_SETTINGS,
  SERVICE_SETTINGS,
  setting,
  toBlobConfig,
  toKeyConfig,
  toServiceConfig,
  type BlobConfig,
  type SealingConfig,
  type Settings,
} from '@causeway/chassis'
import { OIDC_SETTINGS, toOidcConfig, type OidcConfig } from './oidc/settings.ts'
import { FOUR_EYES, fourEyesOf, type FourEyes } from './pending-actions/groups.ts'
import type { BucketSettings } from './rate-limits/token-bucket.ts'
import type { ConnectionBounds } from './http/connections.ts'

/** Every setting of the gateway; the reference is made from this table (decisions §17). */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  ...BLOB_SETTINGS,
  ...REFUND_SETTINGS,
  GATEWAY_PORT: setting.port({ default: '8080', doc: 'Port on which the API listens; 0 takes a free one' }),
  GATEWAY_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which the API listens' }),
  GATEWAY_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the gateway' }),
  PUBLIC_BASE_URL: setting.httpOrigin({
    optional: true,
    doc: 'URL under which callers reach the API, also the issuer of tokens; default http://127.0.0.1:<GATEWAY_PORT>',
  }),
  CONSOLE_BASE_URL: setting.httpUrl({
    optional: true,
    doc: 'URL of the console on its own host, which the proxy passes on in Host: /console answers there and nowhere else; default PUBLIC_BASE_URL, with everything else',
  }),
  OPERATOR_API_KEY: setting.secretText({
    minLength: 16,
    doc: 'Key of the operator API with the role admin, at least 16 characters',
  }),
  ...OIDC_SETTINGS,
  FOUR_EYES: setting.someOf(FOUR_EYES, {
    optional: true,
    emptyIsValue: true,
    doc: 'Actions of staff that a second person has to confirm, comma-separated: approval (of cases), reinstatement (of suspended merchants and revoked relationships), keys, money (refunds of crypto orders, payouts, raised refund limits), webhooks (their URLs), agreements (published or retired), erasure (of personal data); not set: money where CRYPTO_REFUNDS is signer, else none; empty: none',
  }),
  RATE_LIMIT_PER_SECOND: setting.decimal({
    default: '100',
    min: 0.001,
    doc: 'Rate limit of one client, in requests per second on each replica, from 0.001',
  }),
  RATE_LIMIT_BURST: setting.integer({
    default: '200',
    min: 1,
    doc: 'Burst of one client, in requests at once on each replica, from 1',
  }),
  HTTP_CONNECTIONS_PER_ADDRESS: setting.integer({
    default: '500',
    min: 1,
    doc: 'Limit of open connections from one address on each replica, from 1; ignored where TRUSTED_PROXIES is set',
  }),
  HTTP_CONNECTIONS_MAX: setting.integer({
    default: '10000',
    min: 1,
    doc: 'Limit of open connections on each replica, from 1; one more closes the one that has been idle longest',
  }),
  HTTP_REQUESTS_MAX: setting.integer({
    default: '1000',
    min: 10,
    doc: 'Limit of requests that each replica carries out at once, from 10; a service holds at most half of them, a client a quarter; one more is 503',
  }),
  CREDENTIAL_FAILURES_PER_SECOND: setting.decimal({
    default: '20',
    min: 0.001,
    doc: 'Rate limit of failed credentials from one address, per second on each replica, from 0.001',
  }),
  CREDENTIAL_FAILURES_BURST: setting.integer({
    default: '100',
    min: 1,
    doc: 'Burst of failed credentials from one address, from 1; further ones are answered 429, a valid one never is',
  }),
  TRUSTED_PROXIES: setting.integer({
    default: '0',
    max: 10,
    doc: 'Number of proxies in front that append to X-Forwarded-For, 0 to 10; the outermost one appends the address of the caller',
  }),
  UPLOADS_MAX: setting.integer({
    default: '64',
    min: 8,
    doc: 'Limit of concurrent uploads on each replica, from 8, of which 8 per client; with S3 each holds up to 10 MiB of memory',
  }),
  ACCESS_LOG: setting.flag({
    default: 'true',
    doc: 'Whether each request is logged (level info): caller, route and status of the answer',
  }),
  EVENT_STREAM_MAX_BYTES: setting.integer({
    default: '1073741824',
    min: 1_048_576,
    doc: 'Size limit of the event stream, in bytes, from 1 MiB; when it is full, events stay in the outboxes',
  }),
  DOCUMENT_STORE_MAX_BYTES: setting.integer({
    default: '4294967296',
    min: 1_048_576,
    doc: 'Size limit of the JetStream store of documents, in bytes, from 1 MiB; when it is full, uploads are refused',
  }),
  NATS_REPLICAS: setting.integer({
    default: '1',
    min: 1,
    max: 5,
    doc: 'Servers that hold each stream and the store of documents: 1, or 3 in a cluster, from 1 to 5; those that exist are brought up to it',
  }),
  APPROVAL_SIGNING_KEY: setting.key({
    optional: true,
    doc: 'Ed25519 private key that signs which refunds staff approve, 32 bytes in base64; needed where CRYPTO_REFUNDS is signer, which verifies with APPROVAL_VERIFYING_KEYS',
  }),
  SESSION_IDLE_AFTER: setting.durationMs({
    default: '30m',
    doc: 'Time without a request after which a session of the console ends; each ends after 8h',
  }),
  ACCESS_TOKEN_TTL: setting.durationMs({ default: '15m', doc: 'Lifetime of an access token' }),
  SIGNING_KEY_ROTATION: setting.durationMs({
    default: '720h',
    doc: 'Age at which a signing key is replaced by a new one',
  }),
} as const

/** What the gateway is configured with. */
export type GatewayConfig = SealingConfig &
  Readonly<{
    host: string
    port: number
    /** Base address without a trailing slash; the issuer and audience of tokens. */
    publicBaseUrl: string
    /** Base address of the console on its own host; null: with everything else. */
    consoleBaseUrl: string | null
    operatorKey: string
    /** Where staff sign in to the console; null: by keys. */
    oidc: OidcConfig | null
    /** Which actions of staff need two persons. */
    fourEyes: ReadonlySet<FourEyes>
    /** Store of the bytes of documents. */
    blobs: BlobConfig
    limits: BucketSettings
    /** Rate limit of failed credentials, by address. */
    credentialFailures: BucketSettings
    trustedProxies: number
    connections: ConnectionBounds
    /** Limit of requests that are carried out at once. */
    maxRequests: number
    /** Size limits of the streams. */
    eventBytes: number
    documentBytes: number
    /** Servers that hold each stream. */
    replicas: number
    /** Limit of concurrent uploads. */
    maxUploads: number
    /** Whether each request is logged. */
    accessLog: boolean
    tokenTtlMs: number
    /** Time without a request after which a session of the console ends. */
    staffIdleAfterMs: number
    rotateKeysAfterMs: number
    /** Deadline of a request on the bus. */
    busTimeoutMs: number
    /** Ed25519 key that signs what staff approve for the signer; null: it sends no refunds. */
    approvalKey: Uint8Array | null
    /** How long a stop may wait for requests in flight. */
    shutdownTimeoutMs: number
    /** Share of requests that are traced, from 0 to 1, where tracing is on. */
    traceSampleRatio: number
  }>

/** The one setting that the commands of the audit log need. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ GATEWAY_DATABASE_URL: SETTINGS.GATEWAY_DATABASE_URL }, env).GATEWAY_DATABASE_URL

const approvalKeyOf = ({
  CRYPTO_REFUNDS,
  APPROVAL_SIGNING_KEY: key,
}: Settings<typeof SETTINGS>): Uint8Array | null => {
  if (CRYPTO_REFUNDS === 'recorded') return null
  if (key === undefined)
    throw new ConfigError('Bad settings: APPROVAL_SIGNING_KEY is missing: CRYPTO_REFUNDS=signer needs it')
  return key
}

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): GatewayConfig => {
  const settings = loadSettings(SETTINGS, env)
  const hasSigner = settings.CRYPTO_REFUNDS === 'signer'
  return {
    ...toServiceConfig(settings, settings.GATEWAY_DATABASE_URL),
    keys: toKeyConfig(settings, 'gateway'),
    host: settings.GATEWAY_HOST,
    port: settings.GATEWAY_PORT,
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://127.0.0.1:${settings.GATEWAY_PORT}`,
    consoleBaseUrl: settings.CONSOLE_BASE_URL ?? null,
    operatorKey: settings.OPERATOR_API_KEY,
    oidc: toOidcConfig(settings),
    fourEyes: fourEyesOf(settings.FOUR_EYES, { hasSigner }),
    blobs: toBlobConfig(settings),
    limits: { ratePerSecond: settings.RATE_LIMIT_PER_SECOND, burst: settings.RATE_LIMIT_BURST },
    credentialFailures: {
      ratePerSecond: settings.CREDENTIAL_FAILURES_PER_SECOND,
      burst: settings.CREDENTIAL_FAILURES_BURST,
    },
    trustedProxies: settings.TRUSTED_PROXIES,
    connections: {
      // Behind proxies all callers come from a few addresses, and the proxies limit them.
      perAddress:
        settings.TRUSTED_PROXIES > 0 ? Number.POSITIVE_INFINITY : settings.HTTP_CONNECTIONS_PER_ADDRESS,
      total: settings.HTTP_CONNECTIONS_MAX,
    },
    maxRequests: settings.HTTP_REQUESTS_MAX,
    eventBytes: settings.EVENT_STREAM_MAX_BYTES,
    documentBytes: settings.DOCUMENT_STORE_MAX_BYTES,
    replicas: settings.NATS_REPLICAS,
    maxUploads: settings.UPLOADS_MAX,
    accessLog: settings.ACCESS_LOG,
    tokenTtlMs: settings.ACCESS_TOKEN_TTL,
    staffIdleAfterMs: settings.SESSION_IDLE_AFTER,
    rotateKeysAfterMs: settings.SIGNING_KEY_ROTATION,
    approvalKey: approvalKeyOf(settings),
    busTimeoutMs: settings.BUS_TIMEOUT * settings.TIMEOUT_FACTOR,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT,
    traceSampleRatio: settings.TRACE_SAMPLE_RATIO,
  }
}
