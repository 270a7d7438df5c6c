import pg from 'pg'
import type { Contender } from '../measure/rounds.ts'
import { startGenerator } from '../load/generator-process.ts'
import { rawRequest } from '../load/requests.ts'
import { startChild } from '../parts/child.ts'
import type { Servers } from '../parts/servers.ts'
import { FLOOR_PARTNER } from './read-contract.ts'

const SCHEMA = `
  CREATE TABLE floor_customers (
    id text PRIMARY KEY, partner_id text NOT NULL, merchant_id text NOT NULL, external_id text NOT NULL,
    status text NOT NULL, created_at timestamptz NOT NULL, email text NOT NULL, name text, country text,
    merchant_created_at timestamptz NOT NULL)`
const FILL = `
  INSERT INTO floor_customers
  SELECT 'pcu_' || lpad(n::text, 26, '0'), $1, 'cus_' || lpad(n::text, 26, '0'), 'customer-' || n, 'active', now(),
         'customer-' || n || '@example.com', NULL, NULL, now()
  FROM generate_series(1, $2::int) AS n`

const fill = async (databaseUrl: string, customers: number): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(SCHEMA)
  await client.query(FILL, [FLOOR_PARTNER, customers])
  await client.query('ANALYZE')
  await client.end()
}

/** Starts the floor of a read: bare express, NATS request-reply and pg, in two processes. */
export const startReadFloor = async (
  servers: Servers,
  options: { customers: number; connections: number },
): Promise<{ contender: Contender; stop: () => Promise<void> }> => {
  const databaseUrl = await servers.createDatabase('read_floor')
  await fill(databaseUrl, options.customers)
  const { natsPort } = servers
  const back = await startChild(new URL('./read-back.ts', import.meta.url), { natsPort, databaseUrl })
  const front = await startChild(new URL('./read-front.ts', import.meta.url), { natsPort })
  const ids = Array.from({ length: options.customers }, (_, n) => `pcu_${String(n + 1).padStart(26, '0')}`)
  const requests = ids.map((id) => rawRequest({ method: 'GET', path: `/customers/${id}` }))
  const generator = await startGenerator(front.ready as number, requests)
  return {
    contender: {
      name: 'floor',
      processes: [
        { name: 'express', pid: front.pid },
        { name: 'service', pid: back.pid },
        ...servers.processes,
        { name: 'generator', pid: generator.child.pid },
      ],
      run: (durationMs) => generator.load({ connections: options.connections, durationMs }),
    },
    stop: async () => {
      await Promise.all([generator.child, front, back].map((child) => child.stop()))
    },
  }
}
