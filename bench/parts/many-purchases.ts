import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Product } from './product.ts'

type Secrets = Readonly<{ postgresAdminPassword: string; postgresPasswords: { onramp: string } }>

/** A database of open onramp orders. */
export type Purchases = Readonly<{
  url: string
  client: pg.Client
  stop: () => Promise<void>
}>

/**
 * Ages of 0 to 9 and of 11 to 70 hours: nothing falls due, and no provider is polled, during the measurement. Each
 * waits for its extension or, once extended, for its hard cap.
 */
const FILL = `
  INSERT INTO onramp_orders (id, partner_id, partner_customer_id, merchant_id, order_id, provider, provider_order_id,
    status, changed_at, fiat, fiat_amount, crypto, crypto_amount, blockchain, address, checkout_url, order_type,
    invoice_expires_at, created_at, updated_at, extend_at, cap_at, extended_at, due_at, poll_at)
  SELECT 'onr_' || id, 'prt_' || id, 'pcu_' || id, 'cus_' || id, 'ord_' || id, 'provider', 'at-provider-' || id,
    'waitingPayment', at, 'EUR', '30.00', 'BTC', '0.0005', 'BTC', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    'https://provider.example/buy', 'buy', at + interval '12 hours', at, at, at + interval '10 hours',
    at + interval '72 hours', CASE WHEN age > 10 THEN at + interval '10 hours' END,
    at + CASE WHEN age > 10 THEN interval '72 hours' ELSE interval '10 hours' END, $2::timestamptz + interval '9 hours'
  FROM (
    SELECT lpad(n::text, 26, '0') AS id, age, $2::timestamptz - age * interval '1 hour' AS at
    FROM (
      SELECT n, CASE WHEN n % 68 < 9 THEN n % 68 ELSE n % 68 + 2 END + (n % 1000) / 1001.0 AS age
      FROM generate_series(1, $1::int) AS n
    ) AS aged
  ) AS numbered`

const secretsOf = ({ platform }: Product): Secrets =>
  JSON.parse(readFileSync(join(platform.dataDir, 'secrets.json'), 'utf8')) as Secrets
const addressOf = (product: Product, user: string, password: string, database: string): string =>
  `postgres://${user}:${password}@127.0.0.1:${product.platform.postgres?.port ?? 0}/${database}`

/** Creates an empty database owned by the role of the onramp service. @returns its URL */
export const createOnrampDatabase = async (product: Product, name: string): Promise<string> => {
  const { postgresAdminPassword, postgresPasswords } = secretsOf(product)
  const admin = new pg.Client({
    connectionString: addressOf(product, 'postgres', postgresAdminPassword, 'postgres'),
  })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER onramp`)
  await admin.end()
  return addressOf(product, 'onramp', postgresPasswords.onramp, name)
}

/** The database of the platform's own onramp service. */
export const ownOnrampDatabase = (product: Product): string =>
  addressOf(product, 'onramp', secretsOf(product).postgresPasswords.onramp, 'onramp')

/**
 * Fills a migrated database with open orders. The client has the same planner settings as the service's connections.
 */
export const fillPurchases = async (url: string, count: number): Promise<Purchases> => {
  const client = new pg.Client({
    connectionString: url,
    options: '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  await client.query(FILL, [count, new Date()])
  await client.query('ANALYZE onramp_orders')
  return { url, client, stop: () => client.end() }
}
