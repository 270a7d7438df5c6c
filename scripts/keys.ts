/**
 * `pnpm keys <folder>`: derives the key of each service from one root key (`ENCRYPTION_KEY` or `ENCRYPTION_KEY_FILE`)
 * and writes one file for each, named as by deploy/make-secrets.sh. The root key is needed once and stored nowhere.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings, setting } from '../packages/chassis/src/settings/index.ts'
import { SEALING_SERVICES, serviceKeyOf } from '@causeway/dev-env/platform/service-keys'

const fail = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const write = (folder: string): void => {
  const rootSetting = setting.string({ doc: 'Root key, 32 bytes in base64' })
  const { ENCRYPTION_KEY: rootKey } = loadSettings({ ENCRYPTION_KEY: rootSetting }, process.env)
  const keys = SEALING_SERVICES.map((name) => ({
    path: join(folder, `${name}_encryption_key`),
    key: serviceKeyOf(rootKey, name),
  }))
  const existing = keys.find(({ path }) => existsSync(path))
  if (existing) throw new Error(`${existing.path} exists: keys are never overwritten`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const { path, key } of keys) writeFileSync(path, `${key}\n`, { mode: 0o444, flag: 'wx' })
}

const [folder = ''] = process.argv.slice(2)
if (folder === '') fail('Usage: npx -y pnpm@12 keys <folder>, with ENCRYPTION_KEY or ENCRYPTION_KEY_FILE set')
try {
  write(folder)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
