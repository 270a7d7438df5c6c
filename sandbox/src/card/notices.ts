import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { CardNotice } from '@causeway/rails/cards'
import { z } from 'zod'
import { createSignal } from '../signal.ts'
import type { Payment } from './rows.ts'

/** How notices are delivered; the control endpoint can duplicate, delay or drop them. */
export type NoticeDelivery = Readonly<{
  /** How many times each notice is sent, all with one id; 0: never. */
  copies: number
  /** Delay in ms before the first attempt. A later notice without delay arrives first. */
  delayMs: number
}>

export const DEFAULT_DELIVERY: NoticeDelivery = { copies: 1, delayMs: 0 }

const NoticeRow = z.object({ seq: z.number(), url: z.string(), body: z.string(), attempts: z.number() })
export type PendingNotice = z.infer<typeof NoticeRow>

/** Waits after failed attempts; after the last one the notice is dropped. */
const RETRIES_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000] as const

const STATEMENTS = {
  insert: `INSERT INTO card_notices (url, body, attempts, due_at_ms) VALUES (?, ?, 0, ?)`,
  due: `SELECT seq, url, body, attempts FROM card_notices WHERE due_at_ms <= ? ORDER BY due_at_ms, seq LIMIT ?`,
  nextDue: `SELECT min(due_at_ms) AS dueAtMs FROM card_notices`,
  postpone: `UPDATE card_notices SET attempts = attempts + 1, due_at_ms = ? WHERE seq = ?`,
  remove: `DELETE FROM card_notices WHERE seq = ?`,
} as const

/** The queue of notices to send. A notice names the payment and carries no amounts or statuses. */
export const createNotices = (database: DatabaseSync, clock: Clock) => {
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, text]) => [name, database.prepare(text)]),
  ) as Record<keyof typeof STATEMENTS, ReturnType<DatabaseSync['prepare']>>
  const added = createSignal()
  let manners = DEFAULT_DELIVERY

  return {
    /** Notified when a notice was inserted. */
    added,
    setDelivery: (wanted: NoticeDelivery): void => {
      manners = wanted
    },
    add: (payment: Payment, kind: CardNotice['kind'], event: string): void => {
      const body = JSON.stringify({
        notice_id: `sbn_${randomBytes(12).toString('hex')}`,
        processor: payment.processor,
        event,
        kind,
        payment_id: payment.paymentId,
        order_key: payment.orderKey,
        created_at: clock.now().toISOString(),
      })
      const dueAtMs = clock.nowMs() + manners.delayMs
      for (let copy = 0; copy < manners.copies; copy += 1)
        prepared.insert.run(payment.noticeUrl, body, dueAtMs)
      added.notify()
    },
    due: (limit: number): PendingNotice[] => NoticeRow.array().parse(prepared.due.all(clock.nowMs(), limit)),
    /** Null: the queue is empty. */
    nextDueAtMs: (): number | null => {
      const at = prepared.nextDue.get()?.['dueAtMs']
      return typeof at === 'number' ? at : null
    },
    delivered: (notice: PendingNotice): void => void prepared.remove.run(notice.seq),
    failed: (notice: PendingNotice): void => {
      const waitMs = RETRIES_MS[notice.attempts]
      if (waitMs === undefined) prepared.remove.run(notice.seq)
      else prepared.postpone.run(clock.nowMs() + waitMs, notice.seq)
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
