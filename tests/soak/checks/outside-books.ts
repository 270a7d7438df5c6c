import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'

/** Records of the processor and the chain, independent of their notices to the platform. */
export type OutsideBooks = Readonly<{
  payments: readonly Readonly<{ orderKey: string; status: string; paidCents: number }>[]
  refunds: readonly Readonly<{
    id: string
    merchantId: string | null
    orderKey: string
    amountCents: number
  }>[]
  disputes: readonly Readonly<{ id: string; orderKey: string }>[]
  deposits: readonly Readonly<{ txId: string; orderId: string; amount: string }>[]
  /** Sent by the signer. */
  transactions: readonly Readonly<{ txId: string; to: string; leaves: string }>[]
}>

/** Reads the sandbox's own file. */
export const readOutsideBooks = (dataDir: string): OutsideBooks => {
  const database = new DatabaseSync(join(dataDir, 'sandbox', 'sandbox.sqlite'), { readOnly: true })
  const all = <Row>(text: string): Row[] => database.prepare(text).all() as Row[]
  try {
    return {
      payments: all('SELECT order_key AS orderKey, status, paid_cents AS paidCents FROM card_payments'),
      refunds: all(
        `SELECT r.refund_id AS id, r.idempotency_key AS merchantId, p.order_key AS orderKey,
           r.amount_cents AS amountCents
         FROM card_refunds r JOIN card_payments p USING (payment_id)`,
      ),
      disputes: all(
        'SELECT d.dispute_id AS id, p.order_key AS orderKey FROM card_disputes d JOIN card_payments p USING (payment_id)',
      ),
      deposits: all('SELECT tx_id AS txId, order_id AS orderId, amount FROM chain_deposits'),
      transactions: all('SELECT tx_id AS txId, to_address AS "to", leaves FROM chain_transactions'),
    }
  } finally {
    database.close()
  }
}
