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
  PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'Public URL of the gateway' }),
  LEDGER_COMPARE_INTERVAL: setting.durationMs({
    default: '30s',
    doc: 'Interval at which the ledger compares its facts with their sources. Decisions §47 promises complete books within 60 s',
  }),
} as const

export type LedgerConfig = ServiceConfig & Readonly<{ compareEveryMs: number; publicBaseUrl: string }>

/** The one setting that the ledger's commands need. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ LEDGER_DATABASE_URL: SETTINGS.LEDGER_DATABASE_URL }, env).LEDGER_DATABASE_URL

/** Settings of the command that rebuilds the books. @throws ConfigError that names every missing one */
export const loadRebuildUrls = (env: NodeJS.ProcessEnv = process.env) =>
  loadSettings(
    {
      LEDGER_DATABASE_URL: SETTINGS.LEDGER_DATABASE_URL,
      PAYMENTS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of payments, whose facts are posted' }),
      SIGNER_DATABASE_URL: setting.postgresUrl({
        doc: 'Database of the signer, whose facts are posted too',
        optional: true,
      }),
      LEDGER_REBUILD_DATABASE_URL: setting.postgresUrl({ doc: 'An empty database for the rebuilt books' }),
    },
    env,
  )

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): LedgerConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'LEDGER_DATABASE_URL', env),
    compareEveryMs: settings.LEDGER_COMPARE_INTERVAL,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
  }
}
