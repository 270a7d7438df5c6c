import { NATS_TLS_SETTINGS, toBusTls } from '../config.ts'
import { setting } from '../settings/declare.ts'
import { loadSettings } from '../settings/load.ts'
import type { BackupServer } from './connection.ts'

const SETTINGS = {
  NATS_URL: setting.natsUrl({ doc: 'URL of the NATS server with the user backup and its password' }),
  ...NATS_TLS_SETTINGS,
}

/** @throws ConfigError that names every missing or bad setting */
export const loadBackupServer = (env: NodeJS.ProcessEnv = process.env): BackupServer => {
  const settings = loadSettings(SETTINGS, env)
  return { url: settings.NATS_URL, tls: toBusTls(settings) }
}
