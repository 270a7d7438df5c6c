import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASES, ownerOf } from '@causeway/dev-env/infrastructure/postgres-databases'
import pg from 'pg'
import { createLogger } from '../../packages/chassis/src/log.ts'
import { migrate } from '../../packages/chassis/src/db/migrate.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Digest of all migrations: templates that were made of others are out of date. */
export const migrationsDigest = (): string => {
  const hash = createHash('sha256')
  for (const file of globSync('{services/*,packages/chassis}/{migrations,preparations}/*', {
    cwd: ROOT,
  }).sort())
    hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

/**
 * Makes a database of each service with all its migrations, from which `testDatabase` copies: a service that is started
 * by hundreds of tests migrates once. What migrations do is tested on databases of other names.
 */
export const createTemplates = async (adminUrl: string): Promise<void> => {
  const log = createLogger({ service: 'test', level: 'silent' })
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  for (const database of DATABASES) {
    const name = `template_${database}`
    const folder = join('services', ownerOf(database), 'migrations')
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    await migrate({ url: url.href, folder: join(ROOT, folder), log })
    await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE true`)
  }
  await admin.end()
}
