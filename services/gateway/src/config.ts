import {
  BLOB_SETTINGS,
  EDGE_SETTINGS,
  loadSettings,
  setting,
  STAFF_SETTINGS,
  toBlobConfig,
  toProcessConfig,
  toStaffConfig,
  type BlobConfig,
  type ProcessConfig,
  type StaffConfig,
} from '@causeway/chassis'
import type { BucketSettings } from './rate-limits/token-bucket.ts'
import type { ConnectionBounds } from './http/connections.ts'

/** Every setting of the gateway; the reference is made from this table (decisions §17). */
export const SETTINGS = {
  ...EDGE_SETTINGS,
  ...STAFF_SETTINGS,
  ...BLOB_SETTINGS,
  GATEWAY_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which the API listens' }),
  RATE_LIMIT_PER_SECOND: setting.decimal({
    default: '100',
    min: 0.001,
    doc: 'Rate limit of one client, in requests per second on each replica, from 0.001',
  }),
  RATE_LIMIT_BURST: setting.integer({
    default: '200',
    min: 1,
    doc: 'Burst of one client, in requests on each replica, from 1',
  }),
  HTTP_CONNECTIONS_PER_ADDRESS: setting.integer({
    default: '500',
    min: 1,
    doc: 'Maximum open connections from one address on each replica, from 1. Ignored if TRUSTED_PROXIES is set',
  }),
  HTTP_CONNECTIONS_MAX: setting.integer({
    default: '10000',
    min: 1,
    doc: 'Maximum open connections on each replica, from 1. Another connection closes the one that has been idle longest',
  }),
  HTTP_REQUESTS_MAX: setting.integer({
    default: '1000',
    min: 10,
    doc: 'Maximum requests that each replica processes concurrently, from 10: at most half per service, a quarter per client. Further requests get a 503',
  }),
  CREDENTIAL_FAILURES_PER_SECOND: setting.decimal({
    default: '20',
    min: 0.001,
    doc: 'Rate limit of failed credentials from one address, per second on each replica, from 0.001',
  }),
  CREDENTIAL_FAILURES_BURST: setting.integer({
    default: '100',
    min: 1,
    doc: 'Burst of failed credentials from one address, from 1. Further failures get a 429; valid credentials are never limited',
  }),
  TRUSTED_PROXIES: setting.integer({
    default: '0',
    max: 10,
    doc: "Number of proxies in front that append to X-Forwarded-For, 0 to 10. The outermost one appends the caller's address",
  }),
  UPLOADS_MAX: setting.integer({
    default: '64',
    min: 8,
    doc: 'Maximum concurrent uploads on each replica, from 8, of which 8 per client. With S3, each uses up to 10 MiB of memory',
  }),
  ACCESS_LOG: setting.flag({
    default: 'true',
    doc: 'Log each request (level info): caller, route and status',
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
    doc: 'Replicas of each stream and of the store of documents: 1, or 3 in a cluster, from 1 to 5. Existing ones are raised to this number',
  }),
} as const

/** Configuration of the gateway. */
export type GatewayConfig = ProcessConfig &
  StaffConfig &
  Readonly<{
    host: string
    port: number
    /** True if staff sign in to the console at an identity provider, which access knows. */
    hasSignInProvider: boolean
    /** Deadline of a request on the bus. */
    busTimeoutMs: number
    /** Store of the bytes of documents. */
    blobs: BlobConfig
    limits: BucketSettings
    /** Rate limit of failed credentials, by address. */
    credentialFailures: BucketSettings
    trustedProxies: number
    connections: ConnectionBounds
    /** Maximum concurrent requests. */
    maxRequests: number
    /** Size limits of the streams. */
    eventBytes: number
    documentBytes: number
    /** Servers that hold each stream. */
    replicas: number
    /** Limit of concurrent uploads. */
    maxUploads: number
    /** True if each request is logged. */
    accessLog: boolean
    /** How long a stop may wait for requests in flight. */
    shutdownTimeoutMs: number
    /** Share of requests that are traced, from 0 to 1, where tracing is on. */
    traceSampleRatio: number
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): GatewayConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toProcessConfig(settings, env),
    ...toStaffConfig(settings),
    hasSignInProvider: settings.CONSOLE_OIDC_ISSUER !== undefined,
    busTimeoutMs: settings.BUS_TIMEOUT * settings.TIMEOUT_FACTOR,
    host: settings.GATEWAY_HOST,
    port: settings.GATEWAY_PORT,
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
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT,
    traceSampleRatio: settings.TRACE_SAMPLE_RATIO,
  }
}
