import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { RelationshipStatus, ScheduleInterval } from '@causeway/contracts'
import { z } from 'zod'
import { PAYOUT_COLUMNS, PayoutRow } from '../payouts/announced-store.ts'

const RunRow = z.object({
  runId: z.string(),
  fingerprint: z.string(),
  requestId: z.string(),
  cutOff: z.date(),
  /** JSON. Null: it is not complete. */
  answer: z.string().nullable(),
})
export type RunRow = Readonly<z.infer<typeof RunRow>>

/** Begins a run, or reads the one that has the key already. */
export const begin = queryOne({
  name: 'payout-runs.begin',
  parameters: {
    runId: 'text',
    key: 'text?',
    fingerprint: 'text',
    requestId: 'text',
    cutOff: 'timestamptz',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO payout_runs AS r (run_id, key, fingerprint, request_id, cut_off, created_at)
    VALUES (:runId, :key, :fingerprint, :requestId, :cutOff, :now)
    ON CONFLICT (key) DO UPDATE SET key = excluded.key
    RETURNING r.run_id, r.fingerprint, r.request_id, r.cut_off, r.answer`,
  row: RunRow,
})

/** Keeps the answer of a run, for a repeated request. */
export const complete = queryNone({
  name: 'payout-runs.complete',
  parameters: { runId: 'text', answer: 'text' },
  text: 'UPDATE payout_runs SET answer = :answer WHERE run_id = :runId AND key IS NOT NULL AND answer IS NULL',
})

const BalanceRow = z.object({
  accountId: z.string(),
  ownerId: z.string(),
  merchantId: z.string(),
  unit: z.string(),
  available: z.string(),
  status: RelationshipStatus,
  held: z.boolean(),
  /** Null: no schedule was ever set. */
  interval: ScheduleInterval.nullable(),
})
export type BalanceRow = Readonly<z.infer<typeof BalanceRow>>

/** Available balances of relationships that are not 0, after an account. Empty filters select all; assets are left out. */
export const listBalances = queryMany({
  name: 'payout-runs.balances',
  parameters: { unit: 'text', partnerCustomerId: 'text', after: 'bigint', limit: 'integer' },
  text: `
    SELECT a.id::text AS account_id, a.owner_id, r.merchant_id, a.unit, b.amount::text AS available, r.status, r.held,
      s.interval
    FROM books.accounts AS a
    JOIN books.balances AS b ON b.account_id = a.id
    JOIN relationships AS r ON r.partner_customer_id = a.owner_id
    LEFT JOIN payout_schedules AS s ON s.partner_customer_id = a.owner_id AND s.unit = a.unit
    WHERE a.id > :after AND a.balance = 'available' AND b.amount <> 0 AND a.unit NOT LIKE '%/%'
      AND :unit IN ('', a.unit) AND :partnerCustomerId IN ('', a.owner_id)
    ORDER BY a.id LIMIT :limit`,
  row: BalanceRow,
})

/** Locks a relationship: its schedules, and whether it may be paid, stay as they are until the transaction ends. */
export const lockOwner = queryOne({
  name: 'payout-runs.lock-owner',
  parameters: { ownerId: 'text' },
  text: 'SELECT status, held FROM relationships WHERE partner_customer_id = :ownerId FOR SHARE',
  row: z.object({ status: RelationshipStatus, held: z.boolean() }),
})

/** The payout that a run has made of a balance. */
export const getOfRun = queryOne({
  name: 'payout-runs.payout',
  parameters: { runId: 'text', ownerId: 'text', unit: 'text' },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p
    WHERE p.run_id = :runId AND p.owner_id = :ownerId AND p.currency = :unit`,
  row: PayoutRow,
})

/** The payouts of a run whose balances it does not list again: they are 0 since. */
export const listOfRun = queryMany({
  name: 'payout-runs.payouts',
  parameters: { runId: 'text' },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.run_id = :runId ORDER BY p.payout_id`,
  row: PayoutRow,
})

export const isKnown = queryOne({
  name: 'payout-runs.relationship',
  parameters: { partnerCustomerId: 'text' },
  text: 'SELECT status FROM relationships WHERE partner_customer_id = :partnerCustomerId',
  row: z.object({ status: RelationshipStatus }),
})
