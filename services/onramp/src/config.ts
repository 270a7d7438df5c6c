import {
  ConfigError,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'
import { ONRAMP_PROVIDERS, type OnrampAccount } from '@causeway/rails'

/** Every setting of the onramp service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ONRAMP_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the onramp service' }),
  PUBLIC_BASE_URL: setting.httpUrl({ doc: 'Address under which the public reaches the gateway' }),
  ONRAMP_EXTEND_AFTER: setting.durationMs({
    default: '10h',
    doc: 'Age of an open onramp order at which its crypto order is extended to the hard cap',
  }),
  ONRAMP_HARD_CAP: setting.durationMs({
    default: '72h',
    doc: 'Age at which an onramp order without success ends and its crypto order is cancelled',
  }),
  ONRAMP_POLL_AFTER: setting.durationMs({
    default: '5m',
    doc: 'How long an onramp order waits for a notice before its provider is polled',
  }),
  ONRAMP_PROVIDER: setting.oneOf(ONRAMP_PROVIDERS, {
    default: 'sandbox',
    doc: 'Onramp provider: banxa, or in development sandbox, which is none unless ONRAMP_URL is set',
  }),
  ONRAMP_URL: setting.httpUrl({
    optional: true,
    doc: "Address of the sandbox's onramp provider; development only",
  }),
  SANDBOX_ONRAMP_SECRET: setting.string({
    optional: true,
    secret: true,
    doc: "Secret with which the sandbox's onramp provider signs its notices. Set with ONRAMP_URL",
  }),
  BANXA_URL: setting.httpUrl({
    default: 'https://api.banxa.com',
    doc: "Address of Banxa's API; its own sandbox is at https://api.banxa-sandbox.com",
  }),
  BANXA_PARTNER: setting.string({
    optional: true,
    doc: "Partner reference of the Banxa account, part of every path of its API. Set with ONRAMP_PROVIDER banxa, with the account's key and secret",
  }),
  BANXA_API_KEY: setting.string({
    optional: true,
    secret: true,
    doc: 'API key of the Banxa account (x-api-key)',
  }),
  BANXA_WEBHOOK_KEY: setting.string({
    optional: true,
    doc: "Key id in the provider's webhook signature. Default: `BANXA_API_KEY`",
  }),
  BANXA_WEBHOOK_SECRET: setting.string({
    optional: true,
    secret: true,
    doc: 'Secret that signs the notices to /api/callbacks/onramp/banxa',
  }),
} as const

export type OnrampConfig = ServiceConfig &
  Readonly<{
    publicBaseUrl: string
    extendAfterMs: number
    hardCapMs: number
    pollAfterMs: number
    /** Null: no provider, so nothing can be bought. */
    account: OnrampAccount | null
  }>

type Loaded = ReturnType<typeof loadSettings<typeof SETTINGS>>

const sandboxOf = ({ ONRAMP_URL: baseUrl, SANDBOX_ONRAMP_SECRET: secret }: Loaded): OnrampAccount | null => {
  if ((baseUrl === undefined) !== (secret === undefined))
    throw new ConfigError('Bad settings: ONRAMP_URL and SANDBOX_ONRAMP_SECRET are set together or not at all')
  return baseUrl === undefined || secret === undefined ? null : { provider: 'sandbox', baseUrl, secret }
}

const banxaOf = (settings: Loaded): OnrampAccount => {
  const { BANXA_PARTNER: partner, BANXA_API_KEY: apiKey, BANXA_WEBHOOK_SECRET: webhookSecret } = settings
  if (partner === undefined || apiKey === undefined || webhookSecret === undefined) {
    const missing = (['BANXA_PARTNER', 'BANXA_API_KEY', 'BANXA_WEBHOOK_SECRET'] as const)
      .filter((name) => settings[name] === undefined)
      .map((name) => `${name} is not set but ONRAMP_PROVIDER is banxa`)
    throw new ConfigError(`Bad settings: ${missing.join('; ')}`)
  }
  const webhookKey = settings.BANXA_WEBHOOK_KEY ?? apiKey
  return { provider: 'banxa', apiUrl: settings.BANXA_URL, partner, apiKey, webhookKey, webhookSecret }
}

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): OnrampConfig => {
  const settings = loadSettings(SETTINGS, env)
  if (settings.ONRAMP_EXTEND_AFTER >= settings.ONRAMP_HARD_CAP)
    throw new ConfigError('Bad settings: ONRAMP_EXTEND_AFTER must be shorter than ONRAMP_HARD_CAP')
  return {
    ...toServiceConfig(settings, settings.ONRAMP_DATABASE_URL),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    extendAfterMs: settings.ONRAMP_EXTEND_AFTER,
    hardCapMs: settings.ONRAMP_HARD_CAP,
    pollAfterMs: settings.ONRAMP_POLL_AFTER,
    account: settings.ONRAMP_PROVIDER === 'banxa' ? banxaOf(settings) : sandboxOf(settings),
  }
}
