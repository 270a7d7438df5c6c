import { batchOf, queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { UnattributedMoneyKind, type Network, type UnattributedMoneyEnd } from '@causeway/contracts'
import { z } from 'zod'
import { MoneyRow } from './domain.ts'

const SELECT = `
  SELECT u.id, u.kind, u.unit, u.amount, u.order_id, u.order_key, coalesce(o.status, f.status) AS order_status,
    coalesce(o.reference, f.merchant_reference) AS reference, u.partner_id, u.partner_customer_id, u.merchant_id,
    u.network, u.tx_id, u.output_index, u.address, u.sender, u.block_number, u.processor, u.processor_order_id, u.received_at,
    u.status, u.ended_by, u.ended_at, u.reason, u.ended_tx_id
  FROM unattributed_money u
  LEFT JOIN crypto_orders o ON o.id = u.order_id
  LEFT JOIN fiat_orders f ON f.order_key = u.order_key`

const POSITION = { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' } as const

/** Unattributed money of all partners, for staff, oldest first, after a position. */
export const listMoney = queryMany({
  name: 'unattributed-money.page',
  parameters: { status: 'text', ...POSITION },
  text: `
    ${SELECT} WHERE u.status = :status AND (u.received_at, u.id) > (:afterAt, :afterId)
    ORDER BY u.received_at, u.id LIMIT :limit`,
  row: MoneyRow,
})

/** As {@link listMoney}, of one kind. */
export const listMoneyOfKind = queryMany({
  name: 'unattributed-money.page-of-kind',
  parameters: { kind: 'text', status: 'text', ...POSITION },
  text: `
    ${SELECT} WHERE u.kind = :kind AND u.status = :status AND (u.received_at, u.id) > (:afterAt, :afterId)
    ORDER BY u.received_at, u.id LIMIT :limit`,
  row: MoneyRow,
})

/** For staff. */
export const findMoney = queryOne({
  name: 'unattributed-money.find',
  parameters: { id: 'text' },
  text: `${SELECT} WHERE u.id = :id`,
  row: MoneyRow,
})

/** A deposit's row as the settlement writes it: new, changed, or at its end. */
export type DepositMoney = Readonly<{
  id: string
  kind: UnattributedMoneyKind
  unit: string
  amount: string
  orderId: string | null
  partnerId: string | null
  partnerCustomerId: string | null
  merchantId: string | null
  network: Network
  txId: string
  outputIndex: number
  address: string
  /** Null: the chain does not tell, or it named its order. */
  sender: string | null
  blockNumber: number | null
  receivedAt: Date
  /** Null: it is open. */
  endedBy: Extract<UnattributedMoneyEnd, 'counted' | 'reverted'> | null
}>

const DEPOSIT_MONEY = batchOf<DepositMoney>()('money', {
  id: ['text', (row) => row.id],
  kind: ['text', (row) => row.kind],
  unit: ['text', (row) => row.unit],
  amount: ['decimal', (row) => row.amount],
  orderId: ['text?', (row) => row.orderId],
  partnerId: ['text?', (row) => row.partnerId],
  partnerCustomerId: ['text?', (row) => row.partnerCustomerId],
  merchantId: ['text?', (row) => row.merchantId],
  network: ['text', (row) => row.network],
  txId: ['text', (row) => row.txId],
  outputIndex: ['integer', (row) => row.outputIndex],
  address: ['text', (row) => row.address],
  sender: ['text?', (row) => row.sender],
  blockNumber: ['bigint?', (row) => row.blockNumber],
  receivedAt: ['time', (row) => row.receivedAt.getTime()],
  endedBy: ['text?', (row) => row.endedBy],
})

const save = queryNone({
  name: 'unattributed-money.save',
  parameters: { ...DEPOSIT_MONEY.parameters, now: 'timestamptz' },
  text: `
    INSERT INTO unattributed_money AS known (${DEPOSIT_MONEY.names}, status, ended_at)
    SELECT m.*, CASE WHEN m.ended_by IS NULL THEN 'open' ELSE 'ended' END, CASE WHEN m.ended_by IS NOT NULL THEN :now END
    FROM ${DEPOSIT_MONEY.from('m')}
    ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, unit = excluded.unit, amount = excluded.amount,
      block_number = excluded.block_number, status = excluded.status, ended_by = excluded.ended_by,
      ended_at = excluded.ended_at`,
})

/** Writes rows of deposits. Their orders are locked, so that nobody ends one of them meanwhile. */
export const saveDepositMoney = (tx: Queryable, rows: readonly DepositMoney[], now: Date): Promise<void> =>
  save(tx, { ...DEPOSIT_MONEY.values(rows), now })

/** Adds the part of a card payment that counts for no order to the list; null if the payment is listed already. */
export const insertCardMoney = queryOne({
  name: 'unattributed-money.insert-card',
  parameters: {
    id: 'text',
    kind: 'text',
    unit: 'text',
    amount: 'numeric',
    orderKey: 'bigint',
    partnerId: 'text',
    partnerCustomerId: 'text',
    merchantId: 'text',
    processor: 'text',
    processorOrderId: 'text',
    reason: 'text?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO unattributed_money (id, kind, unit, amount, order_key, partner_id, partner_customer_id, merchant_id,
      processor, processor_order_id, received_at, status, reason)
    VALUES (:id, :kind, :unit, :amount, :orderKey, :partnerId, :partnerCustomerId, :merchantId, :processor,
      :processorOrderId, :now, 'open', :reason)
    ON CONFLICT (processor, processor_order_id) WHERE processor IS NOT NULL DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})

/** A card payment's money of at most this amount was refunded at its processor, or counts for its order after all. */
export const endCardMoney = queryNone({
  name: 'unattributed-money.end-card',
  parameters: {
    processor: 'text',
    processorOrderId: 'text',
    endedBy: 'text',
    upTo: 'numeric',
    now: 'timestamptz',
  },
  text: `
    UPDATE unattributed_money SET status = 'ended', ended_by = :endedBy, ended_at = :now
    WHERE processor = :processor AND processor_order_id = :processorOrderId AND status <> 'ended' AND amount <= :upTo
      AND kind IN ('card_after_end', 'card_mismatch')`,
})

/** Refunds of a card payment have failed, so that less than its money is refunded now: it is open again. */
export const reopenCardMoney = queryNone({
  name: 'unattributed-money.reopen-card',
  parameters: { processor: 'text', processorOrderId: 'text', refunded: 'numeric' },
  text: `
    UPDATE unattributed_money SET status = 'open', ended_by = NULL, ended_at = NULL
    WHERE processor = :processor AND processor_order_id = :processorOrderId AND ended_by = 'refund'
      AND amount > :refunded AND kind IN ('card_after_end', 'card_mismatch')`,
})

/** Ends an order's open late money up to the time of its refund. */
export const endRefundedMoney = queryNone({
  name: 'unattributed-money.end-refunded',
  parameters: { orderId: 'text', until: 'timestamptz', txId: 'text?', now: 'timestamptz' },
  text: `
    UPDATE unattributed_money SET status = 'ended', ended_by = 'refund', ended_at = :now, ended_tx_id = :txId
    WHERE order_id = :orderId AND kind = 'late' AND status = 'open' AND received_at <= :until`,
})

/** Open money by kind, and since when the first waits; counted up to a bound. */
export const countOpenMoney = queryMany({
  name: 'unattributed-money.count-open',
  parameters: { bound: 'integer' },
  text: `
    SELECT kind, count(*)::integer AS open, min(received_at) AS oldest_at FROM (
      SELECT kind, received_at FROM unattributed_money WHERE status = 'open' ORDER BY received_at, id LIMIT :bound
    ) first GROUP BY kind`,
  row: z.object({ kind: UnattributedMoneyKind, open: z.number(), oldestAt: z.date() }),
})

/** Locks the order of an amount, so that no deposit is settled meanwhile. */
export const lockOrderOfMoney = queryNone({
  name: 'unattributed-money.lock-order',
  parameters: { id: 'text' },
  text: `
    SELECT FROM crypto_orders WHERE id = (SELECT order_id FROM unattributed_money WHERE id = :id) FOR UPDATE`,
})

/** For staff, with the row locked to the end of the transaction. */
export const lockMoney = queryOne({
  name: 'unattributed-money.lock',
  parameters: { id: 'text' },
  text: `${SELECT} WHERE u.id = :id FOR UPDATE OF u`,
  row: MoneyRow,
})

/** Ends an open amount by staff. `orderId`: the order that unknown money is applied to. */
export const endMoney = queryNone({
  name: 'unattributed-money.end',
  parameters: {
    id: 'text',
    endedBy: 'text',
    actor: 'text',
    reason: 'text',
    txId: 'text?',
    orderId: 'text?',
    now: 'timestamptz',
  },
  text: `
    UPDATE unattributed_money u SET status = 'ended', ended_by = :endedBy, ended_at = :now, ended_actor = :actor,
      reason = :reason, ended_tx_id = :txId, order_id = coalesce(o.id, u.order_id),
      partner_id = coalesce(o.partner_id, u.partner_id), merchant_id = coalesce(o.merchant_id, u.merchant_id),
      partner_customer_id = coalesce(o.partner_customer_id, u.partner_customer_id)
    FROM (SELECT) one LEFT JOIN crypto_orders o ON o.id = :orderId
    WHERE u.id = :id AND u.status = 'open'`,
})
