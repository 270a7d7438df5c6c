import {
  ConfigError,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'
import type { CardProcessorsOptions } from '@causeway/rails'

/** Every setting of the refunds service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  REFUNDS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the refunds service' }),
  CARD_URL: setting.httpUrl({
    optional: true,
    doc: "Where the sandbox's card processors are; development only",
  }),
  STRIPE_SECRET_KEY: setting.string({
    optional: true,
    secret: true,
    doc: 'Secret key of the Stripe account, if there is one',
  }),
} as const

export type RefundsConfig = ServiceConfig &
  Readonly<{
    /** At least one of the two is there. */
    cards: Pick<CardProcessorsOptions, 'sandbox' | 'stripe'>
  }>

/** This service opens no checkout and takes no notice: it holds none of the secrets that those need. */
const NO_SECRET = ''

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): RefundsConfig => {
  const settings = loadSettings(SETTINGS, env)
  const { CARD_URL, STRIPE_SECRET_KEY } = settings
  if (CARD_URL === undefined && STRIPE_SECRET_KEY === undefined)
    throw new ConfigError(
      'Bad settings: no card processor: set STRIPE_SECRET_KEY, or CARD_URL in development',
    )
  return {
    ...toServiceConfig(settings, settings.REFUNDS_DATABASE_URL),
    cards: {
      sandbox: CARD_URL === undefined ? null : { baseUrl: CARD_URL, secret: NO_SECRET },
      stripe:
        STRIPE_SECRET_KEY === undefined
          ? null
          : {
              secretKey: STRIPE_SECRET_KEY,
              webhookSecret: NO_SECRET,
              fallbackReturnUrl: '',
              apiUrl: null,
            },
    },
  }
}
