import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../log.ts'

const CHASSIS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings a database up to date: chassis' own tables, then the service's folder. Plain SQL, forward only, all in
 * one transaction under an advisory lock, so that replicas may start together: one migrates, the others wait.
 */
export const migrate = async (options: { url: string; folder: string; log: Logger }): Promise<void> => {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'migrate',
    connectionTimeoutMillis: 10_000,
  })
  await client.connect()
  try {
    for (const [dir, migrationsTable] of [
      [CHASSIS_FOLDER, 'migrations_chassis'],
      [options.folder, 'migrations'],
    ] as const) {
      const applied = await runner({
        dbClient: client,
        dir,
        migrationsTable,
        direction: 'up',
        advisoryLockMode: 'wait',
        checkOrder: true,
        singleTransaction: true,
        log: () => {},
      })
      for (const migration of applied)
        options.log.info({ event: 'db.migrated', migration: migration.name }, 'Applied a migration')
    }
  } finally {
    await client.end()
  }
}
