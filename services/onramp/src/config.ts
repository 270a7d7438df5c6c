import {
  ConfigError,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'
import { ONRAMP_SETTINGS, toOnrampAccount, type OnrampAccount } from '@causeway/rails/onramps'

/** Every setting of the onramp service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ONRAMP_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the onramp service' }),
  PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'Public URL of the gateway' }),
  ONRAMP_EXTEND_AFTER: setting.durationMs({
    default: '10h',
    doc: 'Age of an open onramp order at which its crypto order is extended to the hard cap',
  }),
  ONRAMP_HARD_CAP: setting.durationMs({
    default: '72h',
    doc: 'Age at which an unsuccessful onramp order ends and its crypto order is cancelled',
  }),
  ONRAMP_POLL_AFTER: setting.durationMs({
    default: '5m',
    doc: 'Time that an onramp order waits for a notice before its provider is polled',
  }),
  ...ONRAMP_SETTINGS,
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

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): OnrampConfig => {
  const settings = loadSettings(SETTINGS, env)
  if (settings.ONRAMP_EXTEND_AFTER >= settings.ONRAMP_HARD_CAP)
    throw new ConfigError('Bad settings: ONRAMP_EXTEND_AFTER must be shorter than ONRAMP_HARD_CAP')
  return {
    ...toServiceConfig(settings, 'ONRAMP_DATABASE_URL', env),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    extendAfterMs: settings.ONRAMP_EXTEND_AFTER,
    hardCapMs: settings.ONRAMP_HARD_CAP,
    pollAfterMs: settings.ONRAMP_POLL_AFTER,
    account: toOnrampAccount(settings),
  }
}
