import { join } from 'node:path'
import {
  ConfigError,
  loadSettings,
  NATS_TLS_SETTINGS,
  setting,
  toBusTls,
  type Settings,
} from '@causeway/chassis'
import type { BusAddress } from './clock/hand.ts'

/** Every setting of the sandbox. */
export const SETTINGS = {
  SANDBOX_PORT: setting.port({
    default: '8090',
    doc: 'Port of the sandbox: its control endpoints, its hosted card page, its chain, its card processors and its onramp provider',
  }),
  SANDBOX_HOST: setting.string({ default: '127.0.0.1', doc: 'Address on which the sandbox listens' }),
  SANDBOX_CHAIN_PORT: setting.port({
    default: '0',
    doc: "Port of the chain's own, so that the fault `unreachable` refuses connections; 0: on SANDBOX_PORT",
  }),
  SANDBOX_CARD_PORT: setting.port({
    default: '0',
    doc: "Port of the card processors' own, so that the fault `unreachable` refuses connections; 0: on SANDBOX_PORT",
  }),
  SANDBOX_CARD_SECRET: setting.secretText({
    minLength: 16,
    doc: 'What the card processors of the sandbox sign their posts with; the platform has the same',
  }),
  SANDBOX_ONRAMP_PORT: setting.port({
    default: '0',
    doc: "Port of the onramp provider's own, so that the fault `unreachable` refuses connections; 0: on SANDBOX_PORT",
  }),
  SANDBOX_ONRAMP_SECRET: setting.secretText({
    minLength: 16,
    doc: 'What the onramp provider of the sandbox signs its notices with; the platform has the same',
  }),
  SANDBOX_PUBLIC_URL: setting.httpUrl({
    optional: true,
    doc: 'Address under which payers reach the hosted card page; without it the one it listens on',
  }),
  SANDBOX_CLOCK: setting.flag({
    default: 'false',
    doc: "Whether POST /control/clock moves the platform's time; the services have the same setting",
  }),
  NATS_URL: setting.natsUrl({
    optional: true,
    doc: "The platform's NATS server with the user and password of the sandbox; set with SANDBOX_CLOCK",
  }),
  ...NATS_TLS_SETTINGS,
  DATA_DIR: setting.string({
    optional: true,
    doc: 'Folder of all data; without it the sandbox forgets at its end',
  }),
} as const

export type SandboxConfig = Readonly<{
  host: string
  /** 0 takes a free one. */
  port: number
  /** Null: the chain is served on `port`. */
  chainPort: number | null
  /** Null: the card processors are served on `port`. */
  cardPort: number | null
  /** Signs the posts of the card processors. */
  cardSecret: string
  /** Null or left out: the onramp provider is served on `port`. */
  onrampPort?: number | null
  /** Signs the notices of the onramp provider; left out: made up, so that nobody believes them. */
  onrampSecret?: string
  /** Null: payers reach the hosted page where the sandbox listens. */
  publicUrl: string | null
  /** The platform's bus, to move its time over; null or left out: the time cannot be moved. */
  bus?: BusAddress | null
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
    publicUrl: settings.SANDBOX_PUBLIC_URL ?? null,
    bus: busOf(settings),
    dataFolder: settings.DATA_DIR === undefined ? null : join(settings.DATA_DIR, 'sandbox'),
  }
}
