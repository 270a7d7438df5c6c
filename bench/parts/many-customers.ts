import { createCursors } from '@causeway/chassis'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createCustomers } from './customers.ts'
import { vaultOf } from './key-ring.ts'
import type { Product } from './product.ts'

/** Page size; the first and the last page have real customers, created through the API. */
export const PAGE = 100

const FILL = `
  WITH numbered AS (
    SELECT n, lpad(n::text, 26, '0') AS id, $2::timestamptz + n * interval '1 microsecond' AS at
    FROM generate_series(1, $3::int) AS n
  ), made AS (
    INSERT INTO merchants (id, email_mac, created_at)
    SELECT 'cus_' || id, decode(md5(n::text), 'hex'), at FROM numbered
  )
  INSERT INTO relationships (id, partner_id, merchant_id, external_customer_id, email_sealed, status, granted,
                             merchant_created_at, created_at)
  SELECT 'pcu_' || id, $1, 'cus_' || id, 'filled-' || n, repeat('x', 90), 'active', '{payments.crypto}', at, at
  FROM numbered`

type Secrets = Readonly<{ postgresPasswords: { onboarding: string } }>

/**
 * Gives the ready partner this many customers: the first and the last page through the API, those in between directly
 * in onboarding's tables.
 * @returns the paths of its first and of its last page
 */
export const fillCustomers = async (
  product: Product,
  count: number,
): Promise<{ first: string; last: string }> => {
  const { platform } = product
  if (platform.partner === null || platform.postgres === null)
    throw new Error('The platform has no ready partner')
  const { partnerId } = platform.partner
  const secrets = JSON.parse(readFileSync(join(platform.dataDir, 'secrets.json'), 'utf8')) as Secrets
  const password = secrets.postgresPasswords.onboarding
  const client = new pg.Client({
    connectionString: `postgres://onboarding:${password}@127.0.0.1:${platform.postgres.port ?? 0}/onboarding`,
  })
  await createCustomers(product, PAGE)
  await client.connect()
  const { rows } = await client.query<{ at: Date }>('SELECT max(created_at) AS at FROM relationships')
  const from = rows[0]?.at ?? new Date()
  await client.query('SET statement_timeout = 0')
  await client.query(FILL, [partnerId, from, count])
  await client.query('ANALYZE merchants; ANALYZE relationships')
  const { rows: filled } = await client.query<{ at: string; id: string }>(
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, id FROM relationships
     WHERE external_customer_id = $1`,
    [`filled-${count}`],
  )
  await client.end()
  await createCustomers(product, PAGE)
  const cursors = createCursors(await vaultOf(product, 'onboarding'))
  const cursor = cursors.encode(`customers:${partnerId}`, [filled[0]?.at ?? '', filled[0]?.id ?? ''])
  const path = `/api/v1/partner/customers?limit=${PAGE}`
  return { first: path, last: `${path}&cursor=${cursor}` }
}
