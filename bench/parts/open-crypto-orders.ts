import { createLogger } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from './servers.ts'

const MIGRATIONS = join(import.meta.dirname, '../../services/payments/migrations')

const ADD_RELATIONSHIP = `
  INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, capabilities, version)
  VALUES ('pcu_1', 'prt_1', 'cus_1', 'active', '{}', 1)`
const ADD_ORDERS = `
  INSERT INTO crypto_orders (id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount,
    total_to_send, currency, fiat_amount, rate, rate_at, derivation_index, address, watch_address, payer_sealed, status,
    created_at, expires_at, updated_at)
  SELECT 'ord_' || lpad(n::text, 26, '0'), 'prt_1', 'pcu_1', 'cus_1', n::text, 'BTC', 'BTC', 0.0005, 0.0005, 'EUR',
    '30.00', 60000, $2, n, address, address, '', 'pending', $2, $2::timestamptz + interval '1 day', $2
  FROM unnest($1::text[]) WITH ORDINALITY AS given (address, n)`

/** Addresses of the first orders, as payments derives them. */
export const orderAddresses = (count: number): string[] => {
  const { derive } = createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest' })
  return Array.from({ length: count }, (_, index) => derive('BTC', index + 1).address)
}

/** A database of payments with an open order for each of these addresses. @returns its URL */
export const createOrdersDatabase = async (
  postgres: PostgresServer,
  name: string,
  addresses: readonly string[],
): Promise<string> => {
  const url = await postgres.createDatabase(name)
  await migrate({ url, folder: MIGRATIONS, log: createLogger({ service: 'bench', level: 'silent' }) })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(ADD_RELATIONSHIP)
  await client.query(ADD_ORDERS, [addresses, new Date()])
  await client.query('ANALYZE')
  await client.end()
  return url
}
