import { newId } from '@causeway/chassis'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { secretContext } from '../../services/webhooks/src/destinations/secret.ts'
import { vaultOf } from './key-ring.ts'
import type { Product } from './product.ts'

/** A partner with one destination. */
export type Owned = Readonly<{ partnerId: string; webhookId: string }>

/** Direct access to the tables of webhooks, for rows that would take hours through the API. */
export type WebhookRows = Readonly<{
  client: pg.Client
  /** Adds partners' destinations, one each. */
  addDestinations: (made: readonly (Owned & { url: string })[]) => Promise<void>
  /** Adds due deliveries that wait for their first attempt. */
  addBacklog: (owned: Owned, count: number) => Promise<void>
  stop: () => Promise<void>
}>

const CHUNK = 50_000

const ADD_DESTINATIONS = `
  WITH next AS (UPDATE destination_revision SET revision = revision + 1 RETURNING revision)
  INSERT INTO destinations (id, channel, owner_id, url, event_types, secret_sealed, revision, created_at)
  SELECT id, 'partner', owner_id, url, '{}', sealed, next.revision, $5
  FROM next, unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS given (id, owner_id, url, sealed)`

/** Numbers in Crockford's digits are ids that sort by them. */
const ADD_BACKLOG = `
  WITH numbered AS (
    SELECT substr($1, 5, 10) || lpad(n::text, 16, '0') AS suffix, $5::timestamptz + n * interval '1 microsecond' AS at
    FROM generate_series($3::int, $4::int) AS n
  ), logged AS (
    INSERT INTO events (owner_id, event_id, type, body, created_at)
    SELECT $2, 'evt_' || suffix, 'payment.pending',
      '{"event_id":"evt_' || suffix || '","event_type":"payment.pending","data":"' || repeat('x', 400) || '"}', at
    FROM numbered
  )
  INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
    next_attempt_at, created_at)
  SELECT $1, 'dlv_' || suffix, $2, 'evt_' || suffix, 'payment.pending', 'waiting', 0, 0, at, at, at
  FROM numbered`

export const newOwned = (): Owned => ({ partnerId: newId('partner'), webhookId: newId('webhook') })

/** Empty tables like the service's, in a schema of their own. */
const OTHER_TABLES = (schema: string) => `
  CREATE SCHEMA ${schema};
  CREATE TABLE ${schema}.deliveries (LIKE public.deliveries INCLUDING ALL);
  CREATE TABLE ${schema}.events (LIKE public.events INCLUDING ALL);
  CREATE TABLE ${schema}.destination_revision AS SELECT * FROM public.destination_revision`

/** @param schema other tables than the service's, made for the benchmark; left out: the service's */
export const openWebhookRows = async (product: Product, schema?: string): Promise<WebhookRows> => {
  const { platform } = product
  const { postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  const vault = await vaultOf(product, 'webhooks')
  const port = platform.postgres?.port ?? 0
  const client = new pg.Client({
    connectionString: `postgres://webhooks:${postgresPasswords.webhooks}@127.0.0.1:${port}/webhooks`,
    options: `-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c search_path=${schema ?? 'public'}`,
  })
  await client.connect()
  if (schema !== undefined) await client.query(OTHER_TABLES(schema))
  return {
    client,
    async addDestinations(made) {
      const seal = ({ webhookId }: Owned) =>
        vault.seal(randomBytes(32).toString('hex'), secretContext(webhookId))
      await client.query(ADD_DESTINATIONS, [
        made.map(({ webhookId }) => webhookId),
        made.map(({ partnerId }) => partnerId),
        made.map(({ url }) => url),
        made.map(seal),
        new Date(),
      ])
    },
    async addBacklog({ partnerId, webhookId }, count) {
      const at = new Date()
      for (let from = 1; from <= count; from += CHUNK)
        await client.query(ADD_BACKLOG, [webhookId, partnerId, from, Math.min(from + CHUNK - 1, count), at])
      await client.query('ANALYZE events, deliveries')
    },
    stop: () => client.end(),
  }
}
