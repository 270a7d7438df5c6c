import { openDatabases } from '../../contract/database.ts'
import { DATABASES, type DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import type { TestPlatform } from '../../journeys/platform.ts'

/** Every database that a process of the soak keeps: no signer runs there, so that its database is empty. */
export const KEPT_DATABASES = DATABASES.filter((name) => name !== 'signer')

/** Rows of a query, by SQL as superuser: what no caller can see is compared as well. */
export type ReadRows = <Row>(database: DatabaseName, text: string) => Promise<readonly Row[]>

/** Opens connections to every database for as long as `use` lasts. */
export const withDatabases = async <T>(
  platform: TestPlatform,
  use: (read: ReadRows) => Promise<T>,
): Promise<T> => {
  const databases = await openDatabases(platform)
  try {
    return await use(async <Row>(database: DatabaseName, text: string) => {
      const result = await databases.query(database, text, [])
      return (result?.rows ?? []) as Row[]
    })
  } finally {
    await databases.close()
  }
}
