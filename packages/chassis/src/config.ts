import { readFileSync } from 'node:fs'

/** One entry of the setting BUS_KEYS: the key of a pair, which seals what `sender` asks of `receiver`. */
export type BusKey = Readonly<{ sender: string; receiver: string; key: Buffer }>

/** One setting: how its text is read, its default, and what the reference says of it. */
export type Setting<T> = Readonly<{
  parse: (text: string) => T
  default?: string
  optional?: boolean
  secret?: boolean
  doc: string
}>

type SettingsTable = Readonly<Record<string, Setting<unknown>>>
type ValueOf<S> = S extends Setting<infer T> ? (S extends { optional: true } ? T | undefined : T) : never
export type Settings<T extends SettingsTable> = { readonly [K in keyof T]: ValueOf<T[K]> }

/** A start-up fault: one line that names every bad setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `300ms`, `6s`, `15m`, `10h` → milliseconds. */
export const parseDurationMs = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  if (!match) throw new Error('must be a duration like 300ms, 6s, 15m or 10h')
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}

const parseDurationFrom = (text: string, minMs: number): number => {
  const ms = parseDurationMs(text)
  if (ms < minMs) throw new Error(`must be at least ${minMs / UNITS.h}h`)
  return ms
}

const parseNumber = (text: string, range: { min: number; max: number }, whole: boolean): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (
    !Number.isFinite(value) ||
    (whole && !Number.isInteger(value)) ||
    value < range.min ||
    value > range.max
  )
    throw new Error(`must be ${whole ? 'an integer' : 'a number'} from ${range.min} to ${range.max}`)
  return value
}

const parseUrl = (text: string, protocols: readonly string[]): string => {
  const url = URL.parse(text)
  if (!url || !protocols.includes(url.protocol))
    throw new Error(`must be a URL (${protocols.join(' or ')}//…)`)
  return text.replace(/\/+$/, '')
}

const parseKey = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw new Error('must be 32 bytes in base64')
  return bytes
}

const parseBusKeys = (text: string): BusKey[] =>
  text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const [, sender = '', receiver = '', key = ''] =
        /^([a-z]+)>([a-z]+)=([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? []
      if (sender === '') {
        const pair = /^[a-z]+>[a-z]+(?==)/.exec(entry)?.[0] ?? `entry ${index + 1}`
        throw new Error(`${pair} must be like gateway>payments=<32 bytes in base64>`)
      }
      return { sender, receiver, key: Buffer.from(key, 'base64') }
    })

type Base = { default?: string; doc: string }
const ANY = { min: 0, max: Number.MAX_SAFE_INTEGER }

/** How settings are declared in a service's `config.ts`. */
export const setting = {
  string: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => text,
    ...options,
  }),
  oneOf: <const V extends string>(values: readonly V[], options: Base): Setting<V> => ({
    parse: (text) => {
      const found = values.find((value) => value === text)
      if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
      return found
    },
    ...options,
  }),
  integer: <const O extends Base & { min?: number; max?: number; optional?: true }>(
    options: O,
  ): Setting<number> & O => ({
    parse: (text) => parseNumber(text, { ...ANY, ...options }, true),
    ...options,
  }),
  decimal: (options: Base & { min?: number; max?: number }): Setting<number> => ({
    parse: (text) => parseNumber(text, { ...ANY, ...options }, false),
    ...options,
  }),
  /** 0 asks the system for a free port. */
  port: (options: Base): Setting<number> => ({
    parse: (text) => parseNumber(text, { min: 0, max: 65_535 }, true),
    ...options,
  }),
  flag: (options: Base): Setting<boolean> => ({
    parse: (text) => {
      if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
      return text === 'true'
    },
    ...options,
  }),
  durationMs: (options: Base & { minMs?: number }): Setting<number> => ({
    parse: (text) => parseDurationFrom(text, options.minMs ?? 0),
    ...options,
  }),
  durationsMs: (options: Base): Setting<readonly number[]> => ({
    parse: (text) => text.split(',').map(parseDurationMs),
    ...options,
  }),
  httpUrl: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => parseUrl(text, ['http:', 'https:']),
    ...options,
  }),
  postgresUrl: (options: Base): Setting<string> => ({
    parse: (text) => parseUrl(text, ['postgres:', 'postgresql:']),
    secret: true,
    ...options,
  }),
  natsUrl: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => parseUrl(text, ['nats:', 'tls:']),
    secret: true,
    ...options,
  }),
  /** 32 bytes in base64. */
  key: <const O extends Base & { optional?: true }>(options: O): Setting<Buffer> & O => ({
    parse: parseKey,
    secret: true,
    ...options,
  }),
  /** Entries `<sender>><receiver>=<32 bytes in base64>`, separated by commas or white space. */
  busKeys: (options: Base): Setting<readonly BusKey[]> => ({ parse: parseBusKeys, secret: true, ...options }),
  secretText: (options: Base & { minLength: number }): Setting<string> => ({
    parse: (text) => {
      if (text.length < options.minLength)
        throw new Error(`must have at least ${options.minLength} characters`)
      return text
    },
    secret: true,
    ...options,
  }),
}

const readText = (name: string, env: NodeJS.ProcessEnv): string | undefined => {
  const direct = env[name]
  if (direct !== undefined && direct !== '') return direct
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return undefined
  // An empty file is an empty setting: a secret that a deployment has a place for and does not use now.
  return readFileSync(file, 'utf8').trim() || undefined
}

/**
 * Reads every setting of a table; `NAME_FILE` names a file that holds the value.
 * @throws ConfigError that names all missing and bad settings in one line, values of secrets left out
 */
export const loadSettings = <const T extends SettingsTable>(
  table: T,
  env: NodeJS.ProcessEnv,
): Settings<T> => {
  const faults: string[] = []
  const values = Object.entries(table).map(([name, declared]) => {
    try {
      const text = readText(name, env) ?? declared.default
      if (text !== undefined) return [name, declared.parse(text)]
      if (!declared.optional) faults.push(`${name} is not set`)
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
    return [name, undefined]
  })
  if (faults.length > 0) throw new ConfigError(`Bad settings: ${faults.join('; ')}`)
  return Object.fromEntries(values) as Settings<T>
}

/** Settings that every process has. */
export const PROCESS_SETTINGS = {
  LOG_LEVEL: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    doc: 'Least level of the JSON logs',
  }),
  HEALTH_PORT: setting.port({
    default: '0',
    doc: 'Port of /healthz, /readyz and /metrics; 0 takes a free one',
  }),
  HEALTH_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which the health port listens' }),
  SHUTDOWN_TIMEOUT: setting.durationMs({
    default: '15s',
    doc: 'How long a stop may wait for work in flight',
  }),
  TRACING: setting.oneOf(['off', 'spans', 'auto'], {
    default: 'off',
    doc: 'off; spans: own spans sampled at the edge; auto: also the auto-instrumentation, for diagnosis',
  }),
  TRACE_SAMPLE_RATIO: setting.decimal({
    default: '0.01',
    min: 0,
    max: 1,
    doc: 'Share of requests that are traced',
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
    doc: "File of the certificates (PEM) that may sign the NATS server's; without it the system's",
  }),
  NATS_CERT_FILE: setting.string({
    optional: true,
    doc: 'File of the certificate (PEM) with which this process identifies itself to NATS; with NATS_KEY_FILE',
  }),
  NATS_KEY_FILE: setting.string({ optional: true, doc: 'File of the private key (PEM) of NATS_CERT_FILE' }),
} as const

/** Settings of every process with a database and the bus. */
export const SERVICE_SETTINGS = {
  ...PROCESS_SETTINGS,
  NATS_URL: setting.natsUrl({
    doc: 'NATS server with the user and password of this service; tls:// encrypts and verifies the server',
  }),
  ...NATS_TLS_SETTINGS,
  NATS_STREAM_USER: setting.string({
    optional: true,
    doc: "NATS user, with the same password, for the event stream and documents, which lie in an account apart; without it NATS_URL's",
  }),
  BUS_KEYS: setting.busKeys({
    doc: 'Keys of this process for requests on the bus, sender>receiver=<32 bytes in base64>, separated by commas; the first of a pair seals, two may be valid',
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
} as const

/** The settings that the tracing preload needs before anything else is loaded. */
export const readProcessSettings = (
  env: NodeJS.ProcessEnv = process.env,
): Settings<typeof PROCESS_SETTINGS> => loadSettings(PROCESS_SETTINGS, env)
