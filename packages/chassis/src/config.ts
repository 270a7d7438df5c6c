import type { BusTls } from './bus/server-address.ts'
import type { ServiceConfig } from './process.ts'
import { setting, type Settings } from './settings/declare.ts'
import { ConfigError, loadSettings } from './settings/load.ts'

/** Settings that every process has. */
export const PROCESS_SETTINGS = {
  LOG_LEVEL: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    doc: 'Lowest level of log lines that are written',
  }),
  HEALTH_PORT: setting.port({
    default: '0',
    doc: 'Port of /healthz, /readyz and /metrics; 0 takes a free one',
  }),
  HEALTH_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which HEALTH_PORT listens' }),
  SHUTDOWN_TIMEOUT: setting.durationMs({
    default: '15s',
    doc: 'How long a stop may wait for work in flight',
  }),
  TRACING: setting.oneOf(['off', 'spans', 'auto'], {
    default: 'off',
    doc: 'Traces: off; spans: our own spans, sampled at the gateway; auto: the auto-instrumentation too, for diagnosis',
  }),
  TRACE_SAMPLE_RATIO: setting.decimal({
    default: '0.01',
    min: 0,
    max: 1,
    doc: 'Share of requests, and of runs of jobs, that are traced',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.httpUrl({
    default: 'http://127.0.0.1:4318',
    doc: 'Base address of the OTLP/HTTP collector',
  }),
} as const

/** How a `tls://` connection to NATS is verified. */
export const NATS_TLS_SETTINGS = {
  NATS_CA_FILE: setting.string({
    optional: true,
    doc: "File of the certificate authorities (PEM) that the NATS server's certificate is verified with. Default: the system's",
  }),
  NATS_CERT_FILE: setting.string({
    optional: true,
    doc: 'File of the certificate (PEM) with which this process identifies itself to NATS; with NATS_KEY_FILE',
  }),
  NATS_KEY_FILE: setting.string({ optional: true, doc: 'File of the private key (PEM) of NATS_CERT_FILE' }),
} as const

/** Read by the gateway, which tells the signer what staff approve, and by payments, which asks it. */
export const REFUND_SETTINGS = {
  CRYPTO_REFUNDS: setting.oneOf(['recorded', 'signer'], {
    default: 'recorded',
    doc: 'Who sends refunds of crypto orders: staff, elsewhere, who record them here (recorded), or the signer (signer)',
  }),
} as const

/** How patient a process is with everything that it waits for. */
export const TIMEOUT_SETTINGS = {
  TIMEOUT_FACTOR: setting.decimal({
    default: '1',
    min: 1,
    max: 50,
    doc: 'Factor on the timeouts of the database, the bus, other services, providers and requests that arrive, from 1 to 50; above 1 on machines that are slow',
  }),
} as const

/** Settings of every process with a database and the bus. */
export const SERVICE_SETTINGS = {
  ...PROCESS_SETTINGS,
  NATS_URL: setting.natsUrl({
    doc: 'Address of the NATS server with the user and password of this service; tls:// encrypts and verifies the server',
  }),
  ...NATS_TLS_SETTINGS,
  NATS_STREAM_USER: setting.string({
    optional: true,
    doc: "NATS user for the event stream and documents, which are in an account of their own; the password is NATS_URL's. Default: the user of NATS_URL",
  }),
  BUS_KEYS: setting.busKeys({
    doc: 'Keys that seal and check requests on the bus, sender>receiver=<32 bytes in base64>, separated by commas. A pair has at most two: the first seals, both are accepted',
  }),
  DATABASE_POOL_SIZE: setting.integer({
    default: '8',
    min: 1,
    max: 100,
    doc: 'Connections for transactions',
  }),
  DATABASE_LANES: setting.integer({
    default: '2',
    min: 1,
    max: 16,
    doc: 'Pipelined connections for single statements',
  }),
  SANDBOX_CLOCK: setting.flag({
    default: 'false',
    doc: "Whether the time follows the clock that the sandbox moves; development only, and only the sandbox's bus has it",
  }),
  BUS_TIMEOUT: setting.durationMs({ default: '5s', doc: 'Deadline of a request on the bus' }),
  ...TIMEOUT_SETTINGS,
} as const

/** Whether libraries are instrumented, which happens before the other settings are read and checked. */
export const isInstrumented = (env: NodeJS.ProcessEnv = process.env): boolean => env['TRACING'] === 'auto'

/** The settings that instrumentation needs before anything else is loaded. */
export const readProcessSettings = (
  env: NodeJS.ProcessEnv = process.env,
): Settings<typeof PROCESS_SETTINGS> => loadSettings(PROCESS_SETTINGS, env)

/** @throws ConfigError when the certificate or its key is missing */
export const toBusTls = (settings: Settings<typeof NATS_TLS_SETTINGS>): BusTls => {
  const { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('Bad settings: NATS_CERT_FILE and NATS_KEY_FILE go together')
  return { caFile, certFile, keyFile }
}

/** The connections of a service, from a table of settings that includes `SERVICE_SETTINGS`. */
export const toServiceConfig = (
  settings: Settings<typeof SERVICE_SETTINGS>,
  databaseUrl: string,
): ServiceConfig => ({
  databaseUrl,
  natsUrl: settings.NATS_URL,
  natsTls: toBusTls(settings),
  natsStreamUser: settings.NATS_STREAM_USER,
  busKeys: settings.BUS_KEYS,
  logLevel: settings.LOG_LEVEL,
  healthHost: settings.HEALTH_HOST,
  healthPort: settings.HEALTH_PORT,
  poolSize: settings.DATABASE_POOL_SIZE,
  pipelinedConnections: settings.DATABASE_LANES,
  tracing: settings.TRACING,
  followsSandboxClock: settings.SANDBOX_CLOCK,
  timeoutFactor: settings.TIMEOUT_FACTOR,
  traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  traceShare: settings.TRACE_SAMPLE_RATIO,
})
