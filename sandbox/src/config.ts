import { join } from 'node:path'
import {
  ConfigError,
  loadSettings,
  NATS_TLS_SETTINGS,
  setting,
  TIMEOUT_SETTINGS,
  toBusTls,
  type Settings,
} from '@causeway/chassis'
import type { BusAddress } from './time-control.ts'

/** Every setting of the sandbox. */
export const SETTINGS = {
  SANDBOX_PORT: setting.port({
    default: '8090',
    doc: 'Port of the sandbox: control endpoints, hosted card page, chain, card processors and onramp provider',
  }),
  SANDBOX_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which the sandbox listens' }),
  SANDBOX_CHAIN_PORT: setting.port({
    default: '0',
    doc: 'Separate port of the chain, on which the fault `unreachable` can refuse connections. 0: served on SANDBOX_PORT',
  }),
  SANDBOX_CARD_PORT: setting.port({
    default: '0',
    doc: 'Separate port of the card processors, on which the fault `unreachable` can refuse connections. 0: served on SANDBOX_PORT',
  }),
  SANDBOX_CARD_SECRET: setting.secretText({
    minLength: 16,
    doc: 'Key with which the simulated card processors sign their callbacks. The platform needs the same value',
  }),
  SANDBOX_ONRAMP_PORT: setting.port({
    default: '0',
    doc: 'Separate port of the onramp provider, on which the fault `unreachable` can refuse connections. 0: served on SANDBOX_PORT',
  }),
  SANDBOX_MAIL_PORT: setting.port({
    default: '0',
    doc: 'Port of the mail server, whose inbox is at /mail on SANDBOX_PORT. 0: no mail server',
  }),
  SANDBOX_ONRAMP_SECRET: setting.secretText({
    minLength: 16,
    doc: 'Key with which the simulated onramp provider signs its notices. The platform needs the same value',
  }),
  SANDBOX_PUBLIC_URL: setting.httpOrigin({
    optional: true,
    doc: 'Base URL under which payers reach the hosted card page. Default: the address on which the sandbox listens',
  }),
  SANDBOX_CALLBACK_URL: setting.httpOrigin({
    optional: true,
    doc: "Base URL under which the sandbox reaches the platform's callbacks, where that is another one than callers use. Default: as the platform names them",
  }),
  SANDBOX_CLOCK: setting.flag({
    default: 'false',
    doc: "Whether POST /control/clock advances the platform's time. The services need the same value",
  }),
  NATS_URL: setting.natsUrl({
    optional: true,
    doc: "URL of the platform's NATS server with the sandbox's user and password. Required with SANDBOX_CLOCK",
  }),
  ...NATS_TLS_SETTINGS,
  ...TIMEOUT_SETTINGS,
  DATA_DIR: setting.string({
    optional: true,
    doc: 'Folder of all data. Default: state is kept in memory only',
  }),
} as const

export type SandboxConfig = Readonly<{
  host: string
  /** 0: a free port. */
  port: number
  /** Null: the chain is served on `port`. */
  chainPort: number | null
  /** Null: the card processors are served on `port`. */
  cardPort: number | null
  /** Key that signs the callbacks of the card processors. */
  cardSecret: string
  /** Null or omitted: the onramp provider is served on `port`. */
  onrampPort?: number | null
  /** Key that signs the notices of the onramp provider. Omitted: a random key, so no platform accepts them. */
  onrampSecret?: string
  /** Port of the mail server; 0: a free port. Null or omitted: no mail server. */
  mailPort?: number | null
  /** Null: payers reach the hosted page where the sandbox listens. */
  publicUrl: string | null
  /** Base of the platform's callbacks. Null or omitted: as the platform names them. */
  callbackBaseUrl?: string | null
  /** The platform's bus, over which its clock is advanced. Null or omitted: time cannot be advanced. */
  bus?: BusAddress | null
  /** Lengthens the waits for the platform. Omitted: 1. */
  timeoutFactor?: number
  /** Null keeps everything in memory. */
  dataFolder: string | null
}>

const busOf = (settings: Settings<typeof SETTINGS>): BusAddress | null =>
  settings.SANDBOX_CLOCK && settings.NATS_URL !== undefined
    ? { url: settings.NATS_URL, tls: toBusTls(settings) }
    : null

/** @throws ConfigError that names every bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): SandboxConfig => {
  const settings = loadSettings(SETTINGS, env)
  if (settings.SANDBOX_CLOCK && settings.NATS_URL === undefined)
    throw new ConfigError('Bad settings: SANDBOX_CLOCK is true, but NATS_URL is not set')
  return {
    host: settings.SANDBOX_HOST,
    port: settings.SANDBOX_PORT,
    chainPort: settings.SANDBOX_CHAIN_PORT === 0 ? null : settings.SANDBOX_CHAIN_PORT,
    cardPort: settings.SANDBOX_CARD_PORT === 0 ? null : settings.SANDBOX_CARD_PORT,
    cardSecret: settings.SANDBOX_CARD_SECRET,
    onrampPort: settings.SANDBOX_ONRAMP_PORT === 0 ? null : settings.SANDBOX_ONRAMP_PORT,
    onrampSecret: settings.SANDBOX_ONRAMP_SECRET,
    mailPort: settings.SANDBOX_MAIL_PORT === 0 ? null : settings.SANDBOX_MAIL_PORT,
    publicUrl: settings.SANDBOX_PUBLIC_URL ?? null,
    callbackBaseUrl: settings.SANDBOX_CALLBACK_URL ?? null,
    bus: busOf(settings),
    timeoutFactor: settings.TIMEOUT_FACTOR,
    dataFolder: settings.DATA_DIR === undefined ? null : join(settings.DATA_DIR, 'sandbox'),
  }
}
