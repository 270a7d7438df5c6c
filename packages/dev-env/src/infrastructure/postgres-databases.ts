import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { databaseOf, SERVICES, type DatabaseName, type ServiceName } from '@causeway/contracts'
import { protectSchemas } from './protected-schemas.ts'

export type { DatabaseName } from '@causeway/contracts'

/** The database of each service; its role has the same name. */
export const DATABASES: readonly DatabaseName[] = SERVICES.map(databaseOf)

/** The service that has a database, and the folder in `services` with its migrations. */
export const ownerOf = (name: DatabaseName): ServiceName => (name === 'gateway' ? 'access' : name)

const databaseUrl = (adminUrl: string, name: DatabaseName, password: string): string => {
  const url = new URL(adminUrl)
  url.username = name
  url.password = password
  url.pathname = `/${name}`
  return url.href
}

/** A role may connect to its own database only. */
const createDatabase = async (admin: Client, name: DatabaseName, password: string): Promise<void> => {
  const role = escapeIdentifier(name)
  const roles = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
  const verb = roles.rowCount === 0 ? 'CREATE' : 'ALTER'
  await admin.query(`${verb} ROLE ${role} LOGIN PASSWORD ${escapeLiteral(password)}`)
  const databases = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (databases.rowCount === 0) await admin.query(`CREATE DATABASE ${role} OWNER ${role}`)
  await admin.query(`REVOKE ALL ON DATABASE ${role} FROM PUBLIC`)
}

/**
 * Creates each service's database and role if missing, sets the passwords, and keeps the gateway from rewriting its
 * audit log, the signer its record, and the ledger its books.
 *
 * @returns the connection URL of each
 */
export const createDatabases = async (
  adminUrl: string,
  passwords: Readonly<Record<DatabaseName, string>>,
): Promise<Record<DatabaseName, string>> => {
  const admin = new Client({ connectionString: adminUrl })
  // What cuts the connection also fails the statement under way; an unhandled event would end the process.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    for (const shared of ['postgres', 'template1']) {
      await admin.query(`REVOKE ALL ON DATABASE ${escapeIdentifier(shared)} FROM PUBLIC`)
    }
    for (const name of DATABASES) await createDatabase(admin, name, passwords[name])
  } finally {
    await admin.end()
  }
  const adminUrlOf = (name: DatabaseName) => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  for (const name of ['gateway', 'signer', 'ledger'] as const) await protectSchemas(name, adminUrlOf(name))
  const urls = DATABASES.map((name) => [name, databaseUrl(adminUrl, name, passwords[name])])
  return Object.fromEntries(urls) as Record<DatabaseName, string>
}
