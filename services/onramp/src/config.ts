import {
  ConfigError,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'

/** Every setting of the onramp service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ONRAMP_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the onramp service' }),
  PUBLIC_BASE_URL: setting.httpUrl({ doc: 'Address under which the public reaches the gateway' }),
  ONRAMP_EXTEND_AFTER: setting.durationMs({
    default: '10h',
    doc: 'Age of an open onramp order at which its invoice is extended to the hard cap',
  }),
  ONRAMP_HARD_CAP: setting.durationMs({
    default: '72h',
    doc: 'Age at which an onramp order without success ends and its invoice is cancelled',
  }),
  ONRAMP_POLL_AFTER: setting.durationMs({
    default: '5m',
    doc: 'How long an onramp order waits for a notice before its provider is asked',
  }),
  ONRAMP_URL: setting.httpUrl({
    optional: true,
    doc: "Where the sandbox's onramp provider is; development only",
  }),
  SANDBOX_ONRAMP_SECRET: setting.string({
    optional: true,
    secret: true,
    doc: 'What that signs its notices with; set with ONRAMP_URL',
  }),
} as const

export type OnrampConfig = ServiceConfig &
  Readonly<{
    publicBaseUrl: string
    extendAfterMs: number
    hardCapMs: number
    pollAfterMs: number
    /** Null: no provider, so nothing can be bought. */
    sandbox: Readonly<{ baseUrl: string; secret: string }> | null
  }>

const faultOf = (settings: ReturnType<typeof loadSettings<typeof SETTINGS>>): string | null => {
  if ((settings.ONRAMP_URL === undefined) !== (settings.SANDBOX_ONRAMP_SECRET === undefined))
    return 'ONRAMP_URL and SANDBOX_ONRAMP_SECRET are set together or not at all'
  return settings.ONRAMP_EXTEND_AFTER < settings.ONRAMP_HARD_CAP
    ? null
    : 'ONRAMP_EXTEND_AFTER must be shorter than ONRAMP_HARD_CAP'
}

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): OnrampConfig => {
  const settings = loadSettings(SETTINGS, env)
  const fault = faultOf(settings)
  if (fault !== null) throw new ConfigError(`Bad settings: ${fault}`)
  const { ONRAMP_URL: baseUrl, SANDBOX_ONRAMP_SECRET: secret } = settings
  return {
    ...toServiceConfig(settings, settings.ONRAMP_DATABASE_URL),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    extendAfterMs: settings.ONRAMP_EXTEND_AFTER,
    hardCapMs: settings.ONRAMP_HARD_CAP,
    pollAfterMs: settings.ONRAMP_POLL_AFTER,
    sandbox: baseUrl === undefined || secret === undefined ? null : { baseUrl, secret },
  }
}
