/** `pnpm audit:export`, `pnpm audit:verify`: the gateway's commands, on the database of a local start unless told. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPrivateJson } from './platform/private-file.ts'
import type { Secrets } from './platform/secrets.ts'
import { loadStartSettings } from './platform/settings.ts'

const PORT_LINE = 3

/** The gateway's database of a platform that runs from DATA_DIR, or undefined. */
const localDatabaseUrl = (dataDir: string): string | undefined => {
  const secrets = readPrivateJson(join(dataDir, 'secrets.json')) as Secrets | null
  if (secrets === null) return undefined
  try {
    const port = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[PORT_LINE]
    return `postgres://gateway:${secrets.postgresPasswords.gateway}@127.0.0.1:${port}/gateway`
  } catch {
    return undefined
  }
}

const { env } = process
if (env['GATEWAY_DATABASE_URL'] === undefined && env['GATEWAY_DATABASE_URL_FILE'] === undefined) {
  const url = localDatabaseUrl(loadStartSettings(env).DATA_DIR)
  if (url !== undefined) env['GATEWAY_DATABASE_URL'] = url
}
await import('../services/gateway/src/audit/command.ts')
