import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseName } from '../infrastructure/postgres-databases.ts'
import { keysOf } from './environment.ts'
import { readPrivateJson } from './private-file.ts'
import type { Secrets } from './secrets.ts'
import { databaseSetting, loadStartSettings } from './settings.ts'

/** The line of postmaster.pid, from 0, that holds PostgreSQL's port. */
const PORT_LINE = 3

const portIn = (dataDir: string): string | null => {
  try {
    return readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[PORT_LINE] ?? null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The settings with which a command of one service connects to the database of a platform that runs from DATA_DIR, and
 * decrypts its data.
 * @returns only those of `env` if it names the service's database; null when no platform runs
 */
export const settingsOfService = (
  name: DatabaseName,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string | undefined>> | null => {
  const setting = databaseSetting(name)
  if (env[setting] !== undefined || env[`${setting}_FILE`] !== undefined) return env
  const start = loadStartSettings(env)
  const secrets = readPrivateJson(join(start.DATA_DIR, 'secrets.json')) as Secrets | null
  const port = portIn(start.DATA_DIR)
  if (secrets === null || port === null) return null
  const keys = {
    current: start.ENCRYPTION_KEY ?? secrets.encryptionKey,
    previous: start.PREVIOUS_ENCRYPTION_KEY,
  }
  return {
    ...env,
    ...keysOf(name, keys),
    [setting]: `postgres://${name}:${secrets.postgresPasswords[name]}@127.0.0.1:${port}/${name}`,
  }
}
