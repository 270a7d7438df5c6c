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

const protect = async (database: string, adminUrl: string): Promise<void> => {
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

/**
 * Creates the audit log if it does not exist, owned by a separate role, so that the role of access can only
 * append to it and read it.
 *
 * @param adminUrl the database of access, as a superuser
 */
export const protectAuditLog = (adminUrl: string): Promise<void> => protect('gateway', adminUrl)

/** The same of the signer's record. @param adminUrl the signer's database, as a superuser */
export const protectSignerRecord = (adminUrl: string): Promise<void> => protect('signer', adminUrl)

/** The same of the ledger's books. @param adminUrl the ledger's database, as a superuser */
export const protectBooks = (adminUrl: string): Promise<void> => protect('ledger', adminUrl)
