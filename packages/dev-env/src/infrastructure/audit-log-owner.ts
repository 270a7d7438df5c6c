import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const AUDIT_LOG = ['services/access/migrations/6_audit-log.sql', 'deploy/postgres/protect-audit-log.sql']
const BOOKS = [
  'services/ledger/migrations/1_books.sql',
  'services/ledger/migrations/4_reading-the-books.sql',
  'services/ledger/migrations/5_seals.sql',
  'services/ledger/migrations/8_closed-periods.sql',
  'deploy/postgres/protect-books.sql',
]
const SIGNER_RECORD = ['services/signer/migrations/2_record.sql', 'deploy/postgres/protect-signer-record.sql']

const runScripts = async (scripts: readonly string[], adminUrl: string): Promise<void> => {
  const admin = new Client({ connectionString: adminUrl })
  // What cuts the connection also fails the statement under way; an unhandled event would end the process.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    for (const script of scripts) await admin.query(readFileSync(join(root, script), 'utf8'))
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
export const protectAuditLog = (adminUrl: string): Promise<void> => runScripts(AUDIT_LOG, adminUrl)

/** The same of the signer's record. @param adminUrl the signer's database, as a superuser */
export const protectSignerRecord = (adminUrl: string): Promise<void> => runScripts(SIGNER_RECORD, adminUrl)

/** The same of the ledger's books. @param adminUrl the ledger's database, as a superuser */
export const protectBooks = (adminUrl: string): Promise<void> => runScripts(BOOKS, adminUrl)
