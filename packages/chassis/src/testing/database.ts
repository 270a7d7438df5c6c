import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The services of whose database the test run's own server has a copy with all migrations. */
const MIGRATED = ['gateway', 'ledger', 'onboarding', 'onramp', 'payments', 'refunds', 'signer', 'webhooks']

/** A fresh database on the test run's PostgreSQL; of a service, by its name, a migrated one. */
export const testDatabase = async (name: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const admin = requiredUrl('CAUSEWAY_TEST_POSTGRES_URL')
  const database = `${name}_${randomBytes(6).toString('hex')}`
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  const isCopied = MIGRATED.includes(name) && admin === process.env['CAUSEWAY_TEST_TEMPLATES_URL']
  await run(`CREATE DATABASE ${database}${isCopied ? ` TEMPLATE template_${name}` : ''}`)
  const url = new URL(admin)
  url.pathname = `/${database}`
  return { url: url.href, drop: () => run(`DROP DATABASE ${database} WITH (FORCE)`) }
}

/** An address that the set-up of the test run has put into the environment. */
export const requiredUrl = (name: string): string => {
  const url = process.env[name]
  if (url === undefined) throw new Error(`${name} is not set: run the tests with jest’s global set-up`)
  return url
}
