import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { CryptoRefundStatus, Network } from '@causeway/contracts'
import { z } from 'zod'
import { TransferRecord } from './transfer.ts'

const COLUMNS = `
  t.id, t.purpose, t.network, t.asset, t.to_address, t.order_id,
  t.unattributed_money_id, t.key_index, t.amount, t.coins, t.status, t.failure, t.signed, t.earlier, t.stuck_at, t.network_fee`
const Id = z.object({ id: z.string() })

/** Inserts the request of a refund; null where its id is known. */
export const insertRefund = queryOne({
  name: 'transfers.insert-refund',
  parameters: {
    id: 'text',
    network: 'text',
    asset: 'text',
    toAddress: 'text',
    orderId: 'text?',
    unattributedMoneyId: 'text?',
    keyIndex: 'bigint',
    amount: 'text',
    coins: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO transfers (id, purpose, network, asset, to_address, order_id, unattributed_money_id, key_index, amount,
      coins, status, created_at, updated_at, due_at)
    VALUES (:id, 'refund', :network, :asset, :toAddress, :orderId, :unattributedMoneyId, :keyIndex, :amount, :coins,
      'requested', :now, :now, :now)
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  row: Id,
})

export const findTransfer = queryOne({
  name: 'transfers.find',
  parameters: { id: 'text' },
  text: `SELECT ${COLUMNS} FROM transfers t WHERE t.id = :id`,
  row: TransferRecord,
})

/** Takes transfers whose next step is due, oldest first; nobody else takes them before `leaseUntil`. */
export const claimDue = queryMany({
  name: 'transfers.claim-due',
  parameters: { now: 'timestamptz', leaseUntil: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE transfers t SET due_at = :leaseUntil
    WHERE t.id IN (
      SELECT id FROM transfers WHERE due_at <= :now ORDER BY due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    RETURNING ${COLUMNS}`,
  row: TransferRecord,
})

/** Renews the lease of those of these transfers that still have the one that was claimed. */
export const renewLeases = queryNone({
  name: 'transfers.renew-leases',
  parameters: { ids: 'text[]', leaseUntil: 'timestamptz', until: 'timestamptz' },
  text: 'UPDATE transfers SET due_at = :until WHERE id = ANY (:ids) AND due_at = :leaseUntil',
})

/** Sets when a transfer is looked at again whose step changed nothing: it still has the lease that was claimed. */
export const postpone = queryNone({
  name: 'transfers.postpone',
  parameters: { id: 'text', leaseUntil: 'timestamptz', dueAt: 'timestamptz' },
  text: 'UPDATE transfers SET due_at = :dueAt WHERE id = :id AND due_at = :leaseUntil',
})

/** Sets when a payout that cannot be signed now is looked at again, and why it waits. */
export const postponePayout = queryNone({
  name: 'transfers.postpone-payout',
  parameters: { id: 'text', reason: 'text', dueAt: 'timestamptz' },
  text: `
    UPDATE transfers SET failure = :reason, due_at = :dueAt
    WHERE id = :id AND purpose = 'payout' AND status = 'requested'`,
})

/** The signed transfers of a network that are neither confirmed nor failed. */
export const listOutstanding = queryMany({
  name: 'transfers.outstanding',
  parameters: { network: 'text' },
  text: `
    SELECT ${COLUMNS} FROM transfers t
    WHERE t.network = :network AND t.status IN ('signed', 'broadcast') ORDER BY t.created_at`,
  row: TransferRecord,
})

const SigningCount = z.object({ count: z.number() })

/** Counts all signed transfers of a network; null without one. */
export const countSignings = queryOne({
  name: 'signings.count',
  parameters: { network: 'text' },
  text: 'SELECT count FROM signings WHERE network = :network',
  row: SigningCount,
})

/** Counts one more; null where there are not as many any more as before. */
export const addSigning = queryOne({
  name: 'signings.add',
  parameters: { network: 'text', before: 'bigint' },
  text: `
    INSERT INTO signings (network, count) VALUES (:network, 1)
    ON CONFLICT (network) DO UPDATE SET count = signings.count + 1 WHERE signings.count = :before
    RETURNING count`,
  row: SigningCount,
})

/**
 * Moves a transfer from one status to the next with what is known of it then; null when it is not in the former status
 * any more. Becoming `signed` breaks the constraint `transfers_unsent` while another transfer of the network is unsent.
 * The caller keeps the step's fact in the same transaction.
 */
export const moveTransfer = queryOne({
  name: 'transfers.move',
  parameters: {
    id: 'text',
    from: 'text',
    to: 'text',
    failure: 'text?',
    signed: 'text?',
    networkFee: 'text?',
    now: 'timestamptz',
    dueAt: 'timestamptz?',
  },
  text: `
    UPDATE transfers SET status = :to, failure = :failure, signed = coalesce(:signed, signed),
      network_fee = coalesce(:networkFee, network_fee), updated_at = :now, due_at = :dueAt,
      stuck_at = NULL, all_versions = :to IN ('confirmed', 'failed'), facts_kept = CASE WHEN :to = 'broadcast' OR facts_kept = 'broadcast' THEN :to ELSE facts_kept END
    WHERE id = :id AND status = :from RETURNING id`,
  row: Id,
})

/** Stores a further version of a signed transfer; null where another replica did, or its end is known. */
export const addVersion = queryOne({
  name: 'transfers.add-version',
  parameters: {
    id: 'text',
    signed: 'text',
    earlier: 'text',
    earlierBefore: 'text',
    networkFee: 'text',
    now: 'timestamptz',
  },
  text: `
    UPDATE transfers SET signed = :signed, earlier = :earlier, network_fee = :networkFee, stuck_at = NULL,
      updated_at = :now, due_at = :now
    WHERE id = :id AND status IN ('signed', 'broadcast') AND earlier = :earlierBefore RETURNING id`,
  row: Id,
})

/** Notes when a transfer was found to be stuck; null where it is known, or its end is. */
export const markStuck = queryOne({
  name: 'transfers.mark-stuck',
  parameters: { id: 'text', now: 'timestamptz' },
  text: `
    UPDATE transfers SET stuck_at = :now
    WHERE id = :id AND status IN ('signed', 'broadcast') AND stuck_at IS NULL RETURNING id`,
  row: Id,
})

export const clearStuck = queryNone({
  name: 'transfers.clear-stuck',
  parameters: { id: 'text' },
  text: 'UPDATE transfers SET stuck_at = NULL WHERE id = :id AND stuck_at IS NOT NULL',
})

/** Counts the stuck transfers of each network that has one. */
export const countStuck = queryMany({
  name: 'transfers.count-stuck',
  parameters: { bound: 'integer' },
  text: `
    SELECT network, count(*)::integer AS stuck
    FROM (SELECT network FROM transfers WHERE stuck_at IS NOT NULL LIMIT :bound) s GROUP BY network`,
  row: z.object({ network: Network, stuck: z.number() }),
})

/** Locks sweeps of which facts are missing, oldest first; those that another replica has locked are left out. */
export const lockWithoutFacts = queryMany({
  name: 'transfers.lock-without-facts',
  parameters: { limit: 'integer' },
  text: `
    SELECT t.id, t.status, t.signed, t.network_fee, t.updated_at, (
      SELECT (r.record::jsonb ->> 'at')::timestamptz FROM record.records r
      WHERE r.subject = t.id AND r.kind = 'broadcast') AS broadcast_at
    FROM transfers t
    WHERE t.purpose = 'sweep' AND t.status IN ('broadcast', 'confirmed', 'failed')
      AND t.facts_kept IS DISTINCT FROM t.status
    ORDER BY t.updated_at LIMIT :limit FOR UPDATE OF t SKIP LOCKED`,
  row: z.object({
    id: z.string(),
    status: CryptoRefundStatus,
    signed: z.string().nullable(),
    networkFee: z.string().nullable(),
    updatedAt: z.date(),
    broadcastAt: z.date().nullable(),
  }),
})

export const markFactsKept = queryNone({
  name: 'transfers.mark-facts-kept',
  parameters: { ids: 'text[]' },
  text: 'UPDATE transfers SET facts_kept = status WHERE id = ANY (:ids)',
})
