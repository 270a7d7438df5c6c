import type { BusTls } from './bus/server-address.ts'
import type { ServiceConfig } from './process.ts'
import type { ProcessConfig } from './process-parts.ts'
import { setting, type Settings } from './settings/declare.ts'
import { ConfigError, loadSettings, rereadSettings } from './settings/load.ts'

/** Settings that every process has. */
export const PROCESS_SETTINGS = {
  LOG_LEVEL: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    doc: 'Minimum level of log lines',
  }),
  HEALTH_PORT: setting.port({
    default: '0',
    doc: 'Port of /healthz, /readyz and /metrics; 0 chooses a free port',
  }),
  HEALTH_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which HEALTH_PORT listens' }),
  SHUTDOWN_TIMEOUT: setting.durationMs({
    default: '15s',
    doc: 'Maximum time that a stop waits for work in flight',
  }),
  TRACING: setting.oneOf(['off', 'spans', 'auto'], {
    default: 'off',
    doc: "Traces: off; spans: the platform's spans, sampled at the gateway; auto: also the auto-instrumentation, for diagnosis",
  }),
  TRACE_SAMPLE_RATIO: setting.decimal({
    default: '0.01',
    min: 0,
    max: 1,
    doc: 'Share of requests and job runs that are traced',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.httpUrl({
    default: 'http://127.0.0.1:4318',
    doc: 'Base URL of the OTLP/HTTP collector',
  }),
} as const

/** How a `tls://` connection to NATS is verified. */
export const NATS_TLS_SETTINGS = {
  NATS_CA_FILE: setting.string({
    optional: true,
    doc: "PEM file of the certificate authorities that verify the NATS server's certificate. Default: the system's",
  }),
  NATS_CERT_FILE: setting.string({
    optional: true,
    doc: "PEM file of this process's certificate for NATS. Set together with NATS_KEY_FILE",
  }),
  NATS_KEY_FILE: setting.string({ optional: true, doc: 'PEM file of the private key of NATS_CERT_FILE' }),
} as const

/** Read by access, which tells the signer what staff approve, and by payments, which asks it. */
export const REFUND_SETTINGS = {
  CRYPTO_REFUNDS: setting.oneOf(['recorded', 'signer'], {
    default: 'recorded',
    doc: 'How refunds of crypto orders are sent: by staff, who record them here (recorded), or by the signer (signer)',
  }),
} as const

/** How patient a process is with everything that it waits for. */
export const TIMEOUT_SETTINGS = {
  TIMEOUT_FACTOR: setting.decimal({
    default: '1',
    min: 1,
    max: 50,
    doc: 'Factor from 1 to 50 on the timeouts of the database, the bus, other services, providers and incoming requests. Use more than 1 on slow machines',
  }),
} as const

/** Settings of every process on the bus. */
export const EDGE_SETTINGS = {
  ...PROCESS_SETTINGS,
  NATS_URL: setting.natsUrl({
    doc: 'URL of the NATS server with the user and password of this service. tls:// encrypts and verifies the server',
  }),
  ...NATS_TLS_SETTINGS,
  NATS_STREAM_USER: setting.string({
    optional: true,
    doc: 'NATS user for the event stream and documents, which are in a separate account. The password is the one in NATS_URL. Default: the user of NATS_URL',
  }),
  BUS_KEYS: setting.busKeys({
    doc: 'Keys that seal and verify requests on the bus: sender>receiver=<32 bytes in base64>, separated by commas. A pair has at most two keys: the first seals, both verify',
  }),
  SANDBOX_CLOCK: setting.flag({
    default: 'false',
    doc: "Follow the sandbox's clock. Development only: only the sandbox's bus provides it",
  }),
  BUS_TIMEOUT: setting.durationMs({ default: '5s', doc: 'Deadline of a request on the bus' }),
  ...TIMEOUT_SETTINGS,
} as const

/** Settings of every process with a database and the bus. */
export const SERVICE_SETTINGS = {
  ...EDGE_SETTINGS,
  DATABASE_POOL_SIZE: setting.integer({
    default: '8',
    min: 1,
    max: 100,
    doc: 'Maximum database connections for transactions',
  }),
  DATABASE_LANES: setting.integer({
    default: '2',
    min: 1,
    max: 16,
    doc: 'Maximum pipelined database connections for single statements',
  }),
} as const

/** Checks whether libraries are instrumented, which happens before the other settings are read and checked. */
export const isInstrumented = (env: NodeJS.ProcessEnv = process.env): boolean => env['TRACING'] === 'auto'

/** The settings that instrumentation needs before anything else is loaded. */
export const readProcessSettings = (
  env: NodeJS.ProcessEnv = process.env,
): Settings<typeof PROCESS_SETTINGS> => loadSettings(PROCESS_SETTINGS, env)

/** @throws ConfigError when the certificate or its key is missing */
export const toBusTls = (settings: Settings<typeof NATS_TLS_SETTINGS>): BusTls => {
  const { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('Bad settings: set both NATS_CERT_FILE and NATS_KEY_FILE, or neither')
  return { caFile, certFile, keyFile }
}

const readBusSecrets = (env: NodeJS.ProcessEnv) => {
  const { NATS_URL, BUS_KEYS } = EDGE_SETTINGS
  const bus = rereadSettings({ NATS_URL, BUS_KEYS }, env)
  return { natsUrl: bus.NATS_URL, busKeys: bus.BUS_KEYS }
}

/**
 * The connections of a process without a database, from a table of settings that includes `EDGE_SETTINGS`. Its secrets are
 * read again from their files while it runs.
 */
export const toProcessConfig = (
  settings: Settings<typeof EDGE_SETTINGS>,
  env: NodeJS.ProcessEnv,
): ProcessConfig => ({
  rereadSecrets: () => readBusSecrets(env),
  natsUrl: settings.NATS_URL,
  natsTls: toBusTls(settings),
  natsStreamUser: settings.NATS_STREAM_USER,
  busKeys: settings.BUS_KEYS,
  logLevel: settings.LOG_LEVEL,
  healthHost: settings.HEALTH_HOST,
  healthPort: settings.HEALTH_PORT,
  tracing: settings.TRACING,
  followsSandboxClock: settings.SANDBOX_CLOCK,
  timeoutFactor: settings.TIMEOUT_FACTOR,
  traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  traceShare: settings.TRACE_SAMPLE_RATIO,
})

/**
 * The connections of a service, from a table of settings that includes `SERVICE_SETTINGS`. Its secrets are read again from
 * their files while it runs.
 * @param databaseSetting name of the setting of its database
 */
export const toServiceConfig = <N extends string>(
  settings: Settings<typeof SERVICE_SETTINGS> & Readonly<Record<N, string>>,
  databaseSetting: N,
  env: NodeJS.ProcessEnv,
): ServiceConfig => ({
  ...toProcessConfig(settings, env),
  databaseUrl: settings[databaseSetting],
  rereadSecrets() {
    const database = setting.postgresUrl({ doc: 'Database of the service' })
    const { [databaseSetting]: databaseUrl } = rereadSettings<Record<string, typeof database>>(
      { [databaseSetting]: database },
      env,
    )
    if (databaseUrl === undefined) throw new ConfigError(`Bad settings: ${databaseSetting} is not set`)
    return { databaseUrl, ...readBusSecrets(env) }
  },
  poolSize: settings.DATABASE_POOL_SIZE,
  pipelinedConnections: settings.DATABASE_LANES,
})
