import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** The files that `deploy/postgres/create-databases.sh` runs in a database. */
const scriptsOf = (database: string): string[] =>
  readFileSync(join(root, 'deploy/postgres/protected-schemas.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [of, script] = line.split(' ')
      return of === database && script !== undefined ? [script] : []
    })

/**
 * Creates what a service may not rewrite, if it does not exist, and gives it to a role that nobody can log in as: the audit
 * log in the database `gateway`, the books in `ledger`, the record in `signer`.
 * @param adminUrl the database, as a superuser
 */
export const protectSchemas = async (
  database: 'gateway' | 'ledger' | 'signer',
  adminUrl: string,
): Promise<void> => {
  const admin = new Client({ connectionString: adminUrl })
  // What cuts the connection also fails the statement under way; an unhandled event would end the process.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    for (const script of scriptsOf(database)) await admin.query(readFileSync(join(root, script), 'utf8'))
  } finally {
    await admin.end()
  }
}
