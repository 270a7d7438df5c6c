import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

const root = join(import.meta.dirname, '..', '..')
const SCRIPTS = ['services/gateway/migrations/6_audit-log.sql', 'deploy/postgres/protect-audit-log.sql']

/**
 * Creates the gateway's audit log if it does not exist, owned by a separate role, so that the gateway's role can only
 * append to it and read it.
 *
 * @param adminUrl the gateway's database, as a superuser
 */
export const protectAuditLog = async (adminUrl: string): Promise<void> => {
  const admin = new Client({ connectionString: adminUrl })
  // What cuts the connection also fails the statement under way; an unhandled event would end the process.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    for (const script of SCRIPTS) await admin.query(readFileSync(join(root, script), 'utf8'))
  } finally {
    await admin.end()
  }
}
