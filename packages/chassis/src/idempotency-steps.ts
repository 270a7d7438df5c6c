import type { ErrorCode, Refusal } from '@causeway/contracts'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Db, Queryable, Transaction } from './db/db.ts'
import { statement } from './db/positional-statement.ts'
import type { KeyUse } from './idempotency.ts'
import { NotDoneError, refuse, type Reply } from './outcome.ts'

const claim = statement({
  name: 'idempotency.claim-step',
  text: `
    INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at, lease_until)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT DO NOTHING RETURNING key`,
  row: z.object({ key: z.string() }),
})
/** Takes over a key whose call has died. $1 to $3 key, $4 now, $5 new lease */
const takeOver = statement({
  name: 'idempotency.take-over',
  text: `
    UPDATE idempotency_keys SET lease_until = $5
    WHERE partner_id = $1 AND operation = $2 AND key = $3 AND reply_json IS NULL AND lease_until < $4
    RETURNING recorded, request_id`,
  row: z.object({ recorded: z.string().nullable(), request_id: z.string() }),
})
/** $1 to $3 key, $4 what the first step has written */
const record = statement({
  name: 'idempotency.record-step',
  text: 'UPDATE idempotency_keys SET recorded = $4 WHERE partner_id = $1 AND operation = $2 AND key = $3',
})
const read = statement({
  name: 'idempotency.read-step',
  text: `
    SELECT fingerprint, request_id, variant, reply_json FROM idempotency_keys
    WHERE partner_id = $1 AND operation = $2 AND key = $3`,
  row: z.object({
    fingerprint: z.string(),
    request_id: z.string(),
    variant: z.string().nullable(),
    reply_json: z.string().nullable(),
  }),
})
const store = statement({
  name: 'idempotency.store-step',
  text: `
    UPDATE idempotency_keys SET variant = $4, reply_json = $5, lease_until = NULL
    WHERE partner_id = $1 AND operation = $2 AND key = $3 AND reply_json IS NULL`,
})
const release = statement({
  name: 'idempotency.release-step',
  text: 'DELETE FROM idempotency_keys WHERE partner_id = $1 AND operation = $2 AND key = $3 AND reply_json IS NULL',
})
/** $1 to $3 key, $4 now */
const lapse = statement({
  name: 'idempotency.lapse-step',
  text: `
    UPDATE idempotency_keys SET lease_until = $4
    WHERE partner_id = $1 AND operation = $2 AND key = $3 AND reply_json IS NULL`,
})

const POLL_MS = 50
/** Whoever waits in vain is told so before the caller gives up: after that a 503 would be heard as a 500. */
const ANSWER_MS = 500

/** How a call under a key begins. */
export type Begun<T, C extends ErrorCode> =
  /** The key is this call's: `recorded` is what `first` has written. */
  | { kind: 'first'; recorded: string }
  /** An earlier call, of this request id, ended between its steps: go on from what it had written. */
  | { kind: 'resume'; recorded: string; requestId: string }
  | { kind: 'settled'; outcome: Reply<T> | Refusal<C | 'idempotency_key_reuse'> }

type KeyId = Pick<KeyUse, 'partnerId' | 'operation' | 'key'>
const idOf = (use: KeyId) => [use.partnerId, use.operation, use.key]

/**
 * Begins an effect that asks the outside between two transactions (design, rule 4). In one transaction the key is
 * claimed and `first` writes what will be asked, and gives its id; a refusal of `first` leaves no key. A second call with the key waits
 * for the first one's answer, and takes over when its lease ends without one.
 * @param options.leaseMs longer than the outside may take
 * @throws NotDoneError when the first call is still running shortly before `deadlineMs`
 */
export const beginStep = async <T, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  options: { leaseMs: number; deadlineMs: number; clock: Pick<Clock, 'nowMs' | 'outsideMs'> },
  first: (tx: Transaction) => Promise<{ ok: true; recorded: string } | Refusal<C>>,
): Promise<Begun<T, C>> => {
  for (;;) {
    const claimed = await db.transaction(async (tx) => {
      const leaseUntil = new Date(options.clock.nowMs() + options.leaseMs)
      const values = [...idOf(use), use.fingerprint, use.requestId, use.now, leaseUntil]
      const [row] = await tx.query(claim, values)
      if (!row) return null
      const written = await first(tx)
      if (written.ok) await tx.query(record, [...idOf(use), written.recorded])
      return written
    })
    if (claimed?.ok) return { kind: 'first', recorded: claimed.recorded }
    if (claimed) return { kind: 'settled', outcome: claimed }
    const [known] = await db.query(read, idOf(use))
    if (!known) continue
    if (known.fingerprint !== use.fingerprint)
      return { kind: 'settled', outcome: refuse('idempotency_key_reuse') }
    if (known.reply_json !== null) return { kind: 'settled', outcome: replayOf<T>(known, known.reply_json) }
    const lease = [new Date(options.clock.nowMs()), new Date(options.clock.nowMs() + options.leaseMs)]
    const [taken] = await db.query(takeOver, [...idOf(use), ...lease])
    if (taken) return { kind: 'resume', recorded: taken.recorded ?? '', requestId: taken.request_id }
    if (options.clock.outsideMs() > options.deadlineMs - ANSWER_MS)
      throw new NotDoneError('The first call with this key is still running')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const replayOf = <T>(known: { request_id: string; variant: string | null }, json: string): Reply<T> => ({
  ok: true,
  value: JSON.parse(json) as T,
  replay: { requestId: known.request_id, json },
  ...(known.variant === null ? {} : { variant: known.variant }),
})

/** Stores the answer with the last transaction of the effect, and gives it. One that is stored stays as it is. */
export const settleStep = async <T>(tx: Transaction, use: KeyId, answer: Reply<T>): Promise<Reply<T>> => {
  await tx.query(store, [...idOf(use), answer.variant ?? null, JSON.stringify(answer.value)])
  return answer
}

/**
 * What another call has stored that took the key over while this one stood still, or null. It is this call's own
 * answer where the key is.
 */
export const settledStep = async <T>(tx: Transaction, use: KeyUse): Promise<Reply<T> | null> => {
  const [known] = await tx.query(read, idOf(use))
  if (!known || known.reply_json === null) return null
  const { replay, ...own } = replayOf<T>(known, known.reply_json)
  return replay?.requestId === use.requestId ? own : { ...own, ...(replay && { replay }) }
}

/** Gives the key back, for a refusal decided before anything was sent. */
export const releaseStep = async (tx: Transaction, use: KeyId): Promise<void> => {
  await tx.query(release, idOf(use))
}

/** Ends the lease of a key whose outcome is not known yet, so that its next call goes on at once. */
export const lapseStep = async (db: Queryable, use: KeyId, now: Date): Promise<void> => {
  await db.query(lapse, [...idOf(use), new Date(now.getTime() - 1)])
}
