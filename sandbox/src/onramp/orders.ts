import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import { type OnrampStatus, OnrampStatus as Status } from '@causeway/contracts'
import { z } from 'zod'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import { createSignal } from '../signal.ts'

const createTables = (database: DatabaseSync): void =>
  database.exec(`
    CREATE TABLE IF NOT EXISTS onramp_orders (
      order_id TEXT PRIMARY KEY,
      external_id TEXT NOT NULL UNIQUE,
      request TEXT NOT NULL,
      notice_url TEXT NOT NULL,
      status TEXT NOT NULL,
      changed_at_ms INTEGER NOT NULL,
      fiat_amount TEXT,
      crypto_amount TEXT,
      transaction_hash TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS onramp_notices (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL REFERENCES onramp_orders (order_id),
      body TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      due_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS onramp_notices_by_order ON onramp_notices (order_id, seq);
  `)

const OrderRow = z.object({
  orderId: z.string(),
  externalId: z.string(),
  request: z.string(),
  noticeUrl: z.string(),
  status: Status,
  changedAtMs: z.number(),
  fiatAmount: z.string().nullable(),
  cryptoAmount: z.string().nullable(),
  transactionHash: z.string().nullable(),
})
export type OnrampOrderRow = z.infer<typeof OrderRow>

const COLUMNS = `order_id AS orderId, external_id AS externalId, request, notice_url AS noticeUrl, status,
  changed_at_ms AS changedAtMs, fiat_amount AS fiatAmount, crypto_amount AS cryptoAmount,
  transaction_hash AS transactionHash`

export type NewOnrampOrder = Readonly<{
  externalId: string
  request: string
  noticeUrl: string
  fiatAmount: string | null
  cryptoAmount: string | null
}>

/** The onramp provider's orders. Each status change inserts its notice in the same transaction. */
export const createOnrampOrders = (
  database: DatabaseSync,
  clock: Clock,
  noticeOf: (order: OnrampOrderRow) => string,
) => {
  createTables(database)
  const insert = database.prepare(`
    INSERT INTO onramp_orders (order_id, external_id, request, notice_url, status, changed_at_ms, fiat_amount, crypto_amount)
    VALUES (?, ?, ?, ?, 'pendingPayment', ?, ?, ?) ON CONFLICT DO NOTHING`)
  const byId = database.prepare(`SELECT ${COLUMNS} FROM onramp_orders WHERE order_id = ?`)
  const byExternalId = database.prepare(`SELECT ${COLUMNS} FROM onramp_orders WHERE external_id = ?`)
  const update = database.prepare(
    `UPDATE onramp_orders SET status = ?, changed_at_ms = ?, transaction_hash = ? WHERE order_id = ?`,
  )
  const addNotice = database.prepare(
    `INSERT INTO onramp_notices (order_id, body, attempts, due_at_ms) VALUES (?, ?, 0, ?)`,
  )
  const added = createSignal()
  const noticed = createSignal()
  const parse = (row: unknown): OnrampOrderRow | null => (row === undefined ? null : OrderRow.parse(row))
  const ofExternalId = (externalId: string) => parse(byExternalId.get(externalId))

  return {
    /** Notified when an order was created. */
    added,
    /** Notified when a notice was inserted. */
    noticed,
    byId: (orderId: string) => parse(byId.get(orderId)),
    byExternalId: ofExternalId,
    /** @throws SandboxError 409 when the id was used with another request */
    create: (order: NewOnrampOrder): OnrampOrderRow => {
      const { externalId, request, noticeUrl, fiatAmount, cryptoAmount } = order
      const orderId = `sbr_${randomBytes(12).toString('hex')}`
      insert.run(orderId, externalId, request, noticeUrl, clock.nowMs(), fiatAmount, cryptoAmount)
      const found = ofExternalId(externalId)
      if (found?.request !== request)
        throw new SandboxError(409, 'idempotency_conflict', 'The key was used for another request.')
      added.notify()
      return found
    },
    /** `changedAtMs` always increases, so that the platform can order the changes. */
    setStatus: (order: OnrampOrderRow, status: OnrampStatus, hash: string | null): OnrampOrderRow => {
      const changed = inTransaction(database, () => {
        const changedAtMs = Math.max(clock.nowMs(), order.changedAtMs + 1)
        const transactionHash = hash ?? order.transactionHash
        update.run(status, changedAtMs, transactionHash, order.orderId)
        const after = { ...order, status, changedAtMs, transactionHash }
        addNotice.run(order.orderId, noticeOf(after), clock.nowMs())
        return after
      })
      noticed.notify()
      return changed
    },
  }
}

export type OnrampOrders = ReturnType<typeof createOnrampOrders>
