import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/** Adds the units that are not known; they are due immediately. */
export const addReadings = queryNone({
  name: 'chain-readings.add',
  parameters: { networks: 'text[]', assets: 'text[]', now: 'timestamptz' },
  text: `
    INSERT INTO chain_readings (network, asset, due_at, added_at)
    SELECT n.network, n.asset, :now, :now FROM unnest(:networks, :assets) AS n (network, asset) ON CONFLICT DO NOTHING`,
})

/** Claims what is due until a time, so that no other replica reads it. */
export const claimReadings = queryMany({
  name: 'chain-readings.claim',
  parameters: { networks: 'text[]', assets: 'text[]', now: 'timestamptz', until: 'timestamptz' },
  text: `
    UPDATE chain_readings r SET due_at = :until
    FROM unnest(:networks, :assets) AS n (network, asset)
    WHERE (r.network, r.asset) = (n.network, n.asset) AND r.due_at <= :now
    RETURNING r.network, r.asset`,
  row: z.object({ network: Network, asset: Asset }),
})

/** Extends a claim, or ends it after a failure. @returns null if another replica has claimed it */
export const moveClaim = queryOne({
  name: 'chain-readings.move-claim',
  parameters: { network: 'text', asset: 'text', until: 'timestamptz', dueAt: 'timestamptz' },
  text: `
    UPDATE chain_readings SET due_at = :dueAt
    WHERE network = :network AND asset = :asset AND due_at = :until RETURNING network`,
  row: z.object({ network: Network }),
})

/** Locks a claimed unit until the transaction ends; null if another replica has claimed it. */
export const lockReading = queryOne({
  name: 'chain-readings.lock',
  parameters: { network: 'text', asset: 'text', until: 'timestamptz' },
  text: `
    SELECT missing::text FROM chain_readings
    WHERE network = :network AND asset = :asset AND due_at = :until FOR UPDATE`,
  row: z.object({ missing: z.string() }),
})

export const saveReading = queryNone({
  name: 'chain-readings.save',
  parameters: {
    network: 'text',
    asset: 'text',
    missing: 'numeric',
    dueAt: 'timestamptz',
    readAt: 'timestamptz',
  },
  text: `
    UPDATE chain_readings SET missing = :missing, due_at = :dueAt, read_at = :readAt
    WHERE network = :network AND asset = :asset`,
})

/** The open difference of a unit, and what differences that staff have closed explain. */
export const getKnown = queryOne({
  name: 'chain-readings.known',
  parameters: { source: 'text', unit: 'text' },
  text: `
    SELECT min(difference_id) FILTER (WHERE status = 'open') AS difference_id,
      coalesce(sum(expected - found) FILTER (WHERE status = 'closed'), 0)::text AS explained
    FROM differences WHERE source = :source AND unit = :unit AND source LIKE 'chain:%'`,
  row: z.object({ differenceId: z.string().nullable(), explained: z.string() }),
})

/** Changes what an open difference states. */
export const restateDifference = queryNone({
  name: 'chain-readings.restate-difference',
  parameters: { differenceId: 'text', expected: 'numeric', found: 'numeric' },
  text: `
    UPDATE differences SET expected = :expected, found = :found
    WHERE difference_id = :differenceId AND status = 'open'`,
})

/** The balance of an account of the platform's, up to the newest posting. */
export const getBalance = queryOne({
  name: 'chain-readings.balance',
  parameters: { account: 'text', unit: 'text' },
  text: `
    WITH place AS (
      SELECT h.seq AS through, coalesce((SELECT max(c.seq) FROM books.checkpoints AS c), 0) AS checkpoint
      FROM books.head AS h
    )
    SELECT coalesce(sum(s.debits - s.credits), 0)::text AS amount
    FROM place CROSS JOIN LATERAL (
      SELECT c.debits, c.credits FROM books.checkpoint_sums AS c
      WHERE c.seq = place.checkpoint AND c.unit = :unit AND c.name = :account
      UNION ALL
      SELECT b.debits, b.credits FROM books.sums_between(place.checkpoint, place.through) AS b
      WHERE b.unit = :unit AND b.name = :account
    ) AS s`,
  row: z.object({ amount: z.string() }),
})

/** Since when the unit is not read that was read least recently, and how many units have an open difference. */
export const getState = queryOne({
  name: 'chain-readings.state',
  parameters: { networks: 'text[]', assets: 'text[]' },
  text: `
    SELECT min(coalesce(r.read_at, r.added_at)) AS read_at, (
        SELECT count(*)::integer FROM differences WHERE status = 'open' AND source LIKE 'chain:%') AS open
    FROM chain_readings r JOIN unnest(:networks, :assets) AS n (network, asset)
      ON (r.network, r.asset) = (n.network, n.asset)`,
  row: z.object({ readAt: z.date().nullable(), open: z.number() }),
})
