import {
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'

/** Every setting of the ledger. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  LEDGER_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the ledger' }),
} as const

/** The one setting that `ledger:verify` needs. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ LEDGER_DATABASE_URL: SETTINGS.LEDGER_DATABASE_URL }, env).LEDGER_DATABASE_URL

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): ServiceConfig =>
  toServiceConfig(loadSettings(SETTINGS, env), 'LEDGER_DATABASE_URL', env)
