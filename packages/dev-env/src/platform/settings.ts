import { loadSettings, setting } from '@causeway/chassis/settings'
import { DATABASES, type DatabaseName } from '../infrastructure/postgres-databases.ts'

export const databaseSetting = (name: DatabaseName): `${Uppercase<DatabaseName>}_DATABASE_URL` =>
  `${name.toUpperCase() as Uppercase<DatabaseName>}_DATABASE_URL`

const databaseSettings = Object.fromEntries(
  DATABASES.map((name) => [
    databaseSetting(name),
    setting.string({ optional: true, doc: `A running database of ${name}; omitted: one is started` }),
  ]),
)

/** The settings of the local start itself; all others pass through to the services. */
const START_SETTINGS = {
  DATA_DIR: setting.string({ default: '.data', doc: 'Folder of all local data' }),
  GATEWAY_PORT: setting.port({ default: '8080', doc: 'Port of the public API' }),
  SANDBOX_PORT: setting.port({ default: '8090', doc: 'Port of the sandbox' }),
  SANDBOX_CHAIN_PORT: setting.port({ default: '0', doc: "Port of the sandbox's chain; 0: a free one" }),
  SANDBOX_CARD_PORT: setting.port({
    default: '0',
    doc: "Port of the sandbox's card processors; 0: a free one",
  }),
  SANDBOX_ONRAMP_PORT: setting.port({
    default: '0',
    doc: "Port of the sandbox's onramp provider; 0: a free one",
  }),
  SANDBOX_MAIL_PORT: setting.port({ default: '0', doc: "Port of the sandbox's mail server; 0: a free one" }),
  OPERATOR_API_KEY: setting.string({ optional: true, doc: 'Key of the operator API; omitted: generated' }),
  ENCRYPTION_KEY: setting.string({
    optional: true,
    doc: 'Root key from which each service’s key is derived; omitted: generated',
  }),
  PREVIOUS_ENCRYPTION_KEY: setting.string({
    optional: true,
    doc: 'Root key before, while ENCRYPTION_KEY is being replaced',
  }),
  NATS_URL: setting.string({ optional: true, doc: 'A running NATS server; omitted: one is started' }),
} as const

/** Secrets that only one process may have in its environment. */
export const SECRET_SETTINGS = [
  'OPERATOR_API_KEY',
  'ENCRYPTION_KEY',
  'PREVIOUS_ENCRYPTION_KEY',
  'NATS_URL',
  'BUS_KEYS',
  'APPROVAL_SIGNING_KEY',
  'SANDBOX_CARD_SECRET',
  'SANDBOX_ONRAMP_SECRET',
  ...DATABASES.map(databaseSetting),
]

/** @throws ConfigError naming every bad setting in one line */
export const loadStartSettings = (env: NodeJS.ProcessEnv) => ({
  ...loadSettings(START_SETTINGS, env),
  databaseUrls: namedDatabases(loadSettings(databaseSettings, env)),
})
export type StartSettings = ReturnType<typeof loadStartSettings>

const namedDatabases = (
  urls: Readonly<Record<string, string | undefined>>,
): Partial<Record<DatabaseName, string>> =>
  Object.fromEntries(
    DATABASES.flatMap((name) => {
      const url = urls[databaseSetting(name)]
      return url === undefined ? [] : [[name, url]]
    }),
  )
