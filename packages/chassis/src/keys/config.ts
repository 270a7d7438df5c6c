import { PROCESS_SETTINGS } from '../config.ts'
import { setting } from '../settings/declare.ts'
import { ConfigError, loadSettings } from '../settings/load.ts'
import { KEY_SETTINGS, toKeyConfig, type KeyConfig } from './settings.ts'

const DATABASE_URL = setting.postgresUrl({ doc: 'Database of the service' })

/**
 * The database of a service, for a command that uses no other setting of the service.
 * @throws ConfigError that names every missing or bad setting
 */
export const loadServiceDatabase = (
  service: string,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<{ databaseUrl: string; logLevel: string }> => {
  const { LOG_LEVEL: logLevel } = loadSettings({ LOG_LEVEL: PROCESS_SETTINGS.LOG_LEVEL }, env)
  const name = `${service.toUpperCase()}_DATABASE_URL`
  const { [name]: databaseUrl } = loadSettings<Record<string, typeof DATABASE_URL>>(
    { [name]: DATABASE_URL },
    env,
  )
  if (databaseUrl === undefined) throw new ConfigError(`Bad settings: ${name} is not set`)
  return { databaseUrl, logLevel }
}

/**
 * The database and the keys of a service, for a command that reads sealed values.
 * @throws ConfigError that names every missing or bad setting
 */
export const loadSealedDatabase = (
  service: string,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<{ databaseUrl: string; keys: KeyConfig; logLevel: string }> => {
  const keys = toKeyConfig(loadSettings(KEY_SETTINGS, env), service, env)
  return { ...loadServiceDatabase(service, env), keys }
}
