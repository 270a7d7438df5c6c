import { queryMany, queryNone, queryOne, SERVER_HISTORY } from '@causeway/chassis'
import { z } from 'zod'

/** Names one run of one server. */
export const SERVER_RUN = `(${SERVER_HISTORY} || '/' || extract(epoch FROM pg_postmaster_start_time()))`
/** The row is where it was written, by the run that was granted its ceiling. */
const IS_OURS = `run = ${SERVER_RUN} AND written_by = xmin`
const WRITTEN = 'written_by = pg_current_xact_id()::xid'

/**
 * The key of a new card order: the next number of the sequence, so that keys are consecutive. Null, which the column does
 * not take, where it is not granted.
 */
export const CARD_KEY = `
  (SELECT CASE WHEN taken.key < n.ceiling THEN taken.key END
   FROM order_numbers n CROSS JOIN LATERAL (SELECT nextval('card_order_keys') AS key WHERE n.name = 'card') taken
   WHERE n.name = 'card' AND n.run = ${SERVER_RUN} AND n.written_by = n.xmin)`

/** Checks whether a statement was rolled back because its card order's key is not granted. */
export const isCardKeyMissing = (error: unknown): boolean => {
  const { code, column } = error as { code?: unknown; column?: unknown }
  return code === '23502' && column === 'order_key'
}

/** Takes numbers of a network that are granted: the first of them; null where too few are, or another run was granted them. */
export const takeNumbers = queryOne({
  name: 'order-numbers.take',
  parameters: { name: 'text', count: 'bigint' },
  text: `
    UPDATE order_numbers SET next = next + :count, ${WRITTEN}
    WHERE name = :name AND ${IS_OURS} AND next + :count <= ceiling
    RETURNING next - :count AS first, ceiling - next AS left, run`,
  row: z.object({ first: z.number(), left: z.number(), run: z.string() }),
})

const NumbersRow = z.object({
  name: z.string(),
  next: z.number(),
  ceiling: z.number(),
  seenAtMs: z.number(),
  run: z.enum(['first', 'same', 'restarted', 'other']),
  knownRun: z.string().nullable(),
  serverRun: z.string(),
})
export type NumbersRow = Readonly<z.infer<typeof NumbersRow>>

/** Reads the state of all numbers, and how this run of the server relates to the one that wrote it. */
export const listNumbers = queryMany({
  name: 'order-numbers.list',
  text: `
    SELECT name, ceiling,
      CASE name WHEN 'card' THEN (SELECT last_value + is_called::int FROM card_order_keys) ELSE next END AS next,
      greatest(extract(epoch FROM seen_at) * 1000, 0)::float8 AS seen_at_ms,
      CASE
        WHEN run IS NULL AND coalesce(created_in = ${SERVER_RUN}, true) THEN 'first'
        WHEN ${IS_OURS} THEN 'same'
        WHEN starts_with(coalesce(run, created_in), ${SERVER_HISTORY} || '/')
          AND (run IS NULL OR written_by = xmin) THEN 'restarted'
        ELSE 'other'
      END AS run, run AS known_run, ${SERVER_RUN} AS server_run
    FROM order_numbers ORDER BY name`,
  row: NumbersRow,
})

/**
 * Grants numbers to the run of the server that was read, and records the skipped ones; null if another grant was faster, or the
 * server changed. `moveTo`: where the sequence of card orders continues. Its values are not used meanwhile, because they are
 * not granted. `isOurs`: the row that was read was written by this run, so a restored copy of it
 * with the same ceiling is another row.
 */
export const grantNumbers = queryOne({
  name: 'order-numbers.grant',
  parameters: {
    name: 'text',
    knownCeiling: 'bigint',
    knownRun: 'text?',
    isOurs: 'boolean',
    serverRun: 'text',
    first: 'bigint',
    ceiling: 'bigint',
    moveTo: 'bigint?',
    skippedFirst: 'bigint?',
    skippedEnding: 'bigint?',
    now: 'timestamptz',
  },
  text: `
    WITH granted AS (
      UPDATE order_numbers
      SET next = greatest(next, :first), ceiling = :ceiling, run = :serverRun, seen_at = :now, ${WRITTEN}
      WHERE name = :name AND ceiling = :knownCeiling AND run IS NOT DISTINCT FROM :knownRun AND ${SERVER_RUN} = :serverRun
        AND (NOT :isOurs OR ${IS_OURS})
      RETURNING name
    ), skipped AS (
      INSERT INTO skipped_numbers (network, first, ending, next, at)
      SELECT name, :skippedFirst, :skippedEnding, :skippedFirst, :now FROM granted
      WHERE :skippedFirst IS NOT NULL AND name <> 'card'
      ON CONFLICT DO NOTHING
    )
    SELECT name, (SELECT setval('card_order_keys', :moveTo, false) WHERE name = 'card' AND :moveTo IS NOT NULL) AS moved
    FROM granted`,
  row: z.object({ name: z.string(), moved: z.number().nullable() }),
})

/** Records that the rows of this run are all that was handed out now. */
export const markNumbersSeen = queryNone({
  name: 'order-numbers.seen',
  parameters: { now: 'timestamptz' },
  text: `
    UPDATE order_numbers SET seen_at = :now, ${WRITTEN}
    WHERE ${IS_OURS} AND name IN (SELECT name FROM order_numbers ORDER BY name FOR UPDATE SKIP LOCKED)`,
})

/** The skipped numbers of networks whose addresses are not stored yet, of the range of which the fewest are. */
export const listUnwatched = queryMany({
  name: 'skipped-numbers.unwatched',
  parameters: { networks: 'text[]', limit: 'integer' },
  text: `
    SELECT network, first, next, least(ending, next + :limit) AS ending FROM skipped_numbers
    WHERE next < ending AND network = ANY (:networks) ORDER BY next - first, network, first LIMIT 1`,
  row: z.object({ network: z.string(), first: z.number(), next: z.number(), ending: z.number() }),
})

/** Lost orders have the first of the numbers that a restore skips; no restore loses more orders than this. */
const LOST_AT_MOST = 5_000

/**
 * Checks whether the needed addresses of lost orders are known: numbers of the network are granted to this run of the server,
 * and the first addresses of each skipped range are stored. Null if not.
 */
export const findReadableNetwork = queryOne({
  name: 'order-numbers.find-readable',
  parameters: { network: 'text' },
  text: `
    SELECT name FROM order_numbers
    WHERE name = :network AND ${IS_OURS} AND NOT EXISTS (
      SELECT FROM skipped_numbers WHERE network = :network AND next < least(ending, first + ${LOST_AT_MOST}))`,
  row: z.object({ name: z.string() }),
})

/** Stores the addresses of numbers from `from` on, and where the next ones begin. */
export const insertSkippedAddresses = queryNone({
  name: 'skipped-numbers.watch',
  parameters: { network: 'text', first: 'bigint', from: 'bigint', ending: 'bigint', addresses: 'text[]' },
  text: `
    WITH moved AS (
      UPDATE skipped_numbers SET next = greatest(next, :ending) WHERE network = :network AND first = :first
    )
    INSERT INTO skipped_addresses (watch_address, network, number)
    SELECT address, :network, :from + position - 1 FROM unnest(:addresses) WITH ORDINALITY AS a (address, position)
    ON CONFLICT DO NOTHING`,
})
