import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { ScheduleInterval, Weekday } from '@causeway/contracts'
import { z } from 'zod'

const ScheduleRow = z.object({
  unit: z.string(),
  interval: ScheduleInterval,
  weekday: Weekday.nullable(),
  /** 1 to 28, or `last`. */
  day: z.string().nullable(),
  minimum: z.string(),
  payoutWalletId: z.string().nullable(),
  dueAt: z.date().nullable(),
})
export type ScheduleRow = Readonly<z.infer<typeof ScheduleRow>>

const ofPartner = { partnerId: 'text', partnerCustomerId: 'text' } as const
/** A relationship of this partner, which has granted the capability. */
const OF_PARTNER = `
  SELECT r.partner_customer_id FROM relationships AS r
  WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId AND r.status = 'active'
    AND 'payouts' = ANY (r.grants)`

/** One row for each currency in which the relationship has a balance or a schedule. */
export const list = queryMany({
  name: 'payout-schedule.list',
  parameters: ofPartner,
  text: `
    SELECT unit, coalesce(s.interval, 'manual') AS interval, s.weekday, s.day, coalesce(s.minimum, 0)::text AS minimum,
      s.payout_wallet_id, s.due_at
    FROM (${OF_PARTNER}) AS owner
    CROSS JOIN LATERAL (
      SELECT a.unit FROM books.accounts AS a
      WHERE a.owner_id = owner.partner_customer_id AND a.unit NOT LIKE '%/%'
      UNION SELECT o.unit FROM payout_schedules AS o WHERE o.partner_customer_id = owner.partner_customer_id
    ) AS units
    LEFT JOIN payout_schedules AS s USING (partner_customer_id, unit)
    ORDER BY unit`,
  row: ScheduleRow,
})

/** Locks the relationship: of two simultaneous requests, one replaces all schedules of the other. Null: not this partner's. */
export const lockOwner = queryOne({
  name: 'payout-schedule.lock-owner',
  parameters: ofPartner,
  text: `${OF_PARTNER} FOR NO KEY UPDATE`,
  row: z.object({ partnerCustomerId: z.string() }),
})

/** Those of these destinations that are the relationship's, deleted ones too. `unusable`: why they are never paid at again. */
export const listDestinations = queryMany({
  name: 'payout-schedule.destinations',
  parameters: { ...ofPartner, payoutWalletIds: 'text[]' },
  text: `
    SELECT w.payout_wallet_id, w.unit,
      CASE WHEN w.deleted_at IS NOT NULL THEN 'deleted' WHEN w.status = 'refused' THEN w.status END AS unusable
    FROM payout_wallets AS w
    WHERE w.payout_wallet_id = ANY (:payoutWalletIds) AND w.partner_customer_id IN (${OF_PARTNER})`,
  row: z.object({ payoutWalletId: z.string(), unit: z.string(), unusable: z.string().nullable() }),
})

/**
 * Sets the schedules `[{unit, interval, weekday, day, minimum, payout_wallet_id, due_at}]`; every other one of the
 * relationship becomes manual. A schedule whose days stay the same keeps its next instant, which may be due already.
 */
export const replace = queryNone({
  name: 'payout-schedule.replace',
  parameters: { ...ofPartner, schedules: 'jsonb' },
  text: `
    WITH owner AS (${OF_PARTNER}),
    given AS (
      SELECT * FROM jsonb_to_recordset(:schedules) AS s (
        unit text, interval text, weekday text, day text, minimum bigint, payout_wallet_id text, due_at timestamptz)
    ),
    others AS (
      UPDATE payout_schedules AS s
      SET interval = 'manual', weekday = NULL, day = NULL, due_at = NULL, minimum = 0, payout_wallet_id = NULL
      FROM owner
      WHERE s.partner_customer_id = owner.partner_customer_id AND s.unit NOT IN (SELECT unit FROM given)
    )
    INSERT INTO payout_schedules AS known
      (partner_customer_id, unit, interval, weekday, day, minimum, payout_wallet_id, due_at)
    SELECT owner.partner_customer_id, g.unit, g.interval, g.weekday, g.day, g.minimum, g.payout_wallet_id, g.due_at
    FROM owner CROSS JOIN given AS g
    ON CONFLICT (partner_customer_id, unit) DO UPDATE SET
      interval = excluded.interval, weekday = excluded.weekday, day = excluded.day, minimum = excluded.minimum,
      payout_wallet_id = excluded.payout_wallet_id,
      due_at = CASE
        WHEN (known.interval, known.weekday, known.day) IS NOT DISTINCT FROM (excluded.interval, excluded.weekday, excluded.day)
        THEN known.due_at ELSE excluded.due_at END`,
})

/** The schedule of a relationship in a currency. Null: none was ever set. */
export const get = queryOne({
  name: 'payout-schedule.get',
  parameters: { partnerCustomerId: 'text', unit: 'text' },
  text: `
    SELECT unit, interval, weekday, day, minimum::text, payout_wallet_id, due_at FROM payout_schedules
    WHERE partner_customer_id = :partnerCustomerId AND unit = :unit`,
  row: ScheduleRow,
})

/** Schedules that are due, earliest first. */
export const listDue = queryMany({
  name: 'payout-schedule.due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT partner_customer_id, unit FROM payout_schedules WHERE due_at <= :now ORDER BY due_at LIMIT :limit`,
  row: z.object({ partnerCustomerId: z.string(), unit: z.string() }),
})

const DueRow = ScheduleRow.extend({
  merchantId: z.string(),
  /** The relationship may be paid out now. */
  payable: z.boolean(),
  dueAt: z.date(),
  lastDueAt: z.date().nullable(),
})

/** Locks a schedule that is still due. Null: another replica runs or ran it, or it was changed. */
export const lockDue = queryOne({
  name: 'payout-schedule.lock-due',
  parameters: { partnerCustomerId: 'text', unit: 'text', now: 'timestamptz' },
  text: `
    SELECT s.unit, s.interval, s.weekday, s.day, s.minimum::text, s.payout_wallet_id, s.due_at, s.last_due_at,
      r.merchant_id, r.status = 'active' AND NOT r.held AND 'payouts' = ANY (r.grants) AS payable
    FROM payout_schedules AS s JOIN relationships AS r USING (partner_customer_id)
    WHERE s.partner_customer_id = :partnerCustomerId AND s.unit = :unit AND s.due_at <= :now
    FOR UPDATE OF s SKIP LOCKED`,
  row: DueRow,
})

/** Locks a destination that may be paid at: nobody deletes or refuses it before the transaction ends. Null: it may not. */
export const lockUsable = queryOne({
  name: 'payout-schedule.lock-destination',
  parameters: { partnerCustomerId: 'text', payoutWalletId: 'text' },
  text: `
    SELECT w.payout_wallet_id FROM payout_wallets AS w
    WHERE w.payout_wallet_id = :payoutWalletId AND w.partner_customer_id = :partnerCustomerId
      AND w.status = 'active' AND w.deleted_at IS NULL
    FOR SHARE OF w`,
  row: z.object({ payoutWalletId: z.string() }),
})

/** Sets the instant that a schedule has run for, and its next one. */
export const setRun = queryNone({
  name: 'payout-schedule.set-run',
  parameters: { partnerCustomerId: 'text', unit: 'text', ranFor: 'timestamptz', dueAt: 'timestamptz' },
  text: `
    UPDATE payout_schedules SET last_due_at = :ranFor, due_at = :dueAt
    WHERE partner_customer_id = :partnerCustomerId AND unit = :unit`,
})
