import type { ErrorCode, Refusal } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db, Transaction } from '../db/db.ts'
import type { Queryable } from '../db/statement.ts'
import { NotDoneError, refuse, type Reply } from '../outcome.ts'
import { claimOf, keyIdOf, replayOf, storedReplyOf, type KeyId, type KeyUse } from './key-use.ts'
import * as store from './store.ts'

const POLL_MS = 50
/** Stop waiting 500 ms before the deadline, so that the caller still receives the 503. */
const ANSWER_MS = 500

/** How a call under a key begins. */
export type Claim<T, C extends ErrorCode> =
  /** The key is this call's: `recorded` is what `first` has written. */
  | { kind: 'claimed'; recorded: string }
  /** An earlier call, of this request id, ended between its transactions: go on from what it had written. */
  | { kind: 'taken-over'; recorded: string; requestId: string }
  | { kind: 'answered'; outcome: Reply<T> | Refusal<C | 'idempotency_key_reuse'> }

type ClaimOptions = Readonly<{
  /** Longer than the outside may take. */
  leaseMs: number
  deadlineMs: number
  clock: Pick<Clock, 'nowMs' | 'outsideMs'>
}>
type First<C extends ErrorCode> = (tx: Transaction) => Promise<{ ok: true; recorded: string } | Refusal<C>>

const leaseEnd = ({ clock, leaseMs }: ClaimOptions): Date => new Date(clock.nowMs() + leaseMs)

/** Claims the key and runs `first` in one transaction; null where another call has the key. */
const claimAndRecord = <C extends ErrorCode>(db: Db, use: KeyUse, options: ClaimOptions, first: First<C>) =>
  db.transaction(async (tx) => {
    if (!(await store.claimKey(tx, claimOf(use, leaseEnd(options))))) return null
    const written = await first(tx)
    if (written.ok) await store.recordProgress(tx, { ...keyIdOf(use), recorded: written.recorded })
    return written
  })

/** Waits for the reply of the call that has the key, or for the end of its lease; null where the key is free again. */
const waitForReply = async <T>(
  db: Db,
  use: KeyUse,
  options: ClaimOptions,
): Promise<Exclude<Claim<T, never>, { kind: 'claimed' }> | null> => {
  const id = keyIdOf(use)
  for (;;) {
    const known = await store.readKey(db, id)
    if (!known) return null
    if (known.fingerprint !== use.fingerprint)
      return { kind: 'answered', outcome: refuse('idempotency_key_reuse') }
    if (known.replyJson !== null) return { kind: 'answered', outcome: replayOf(known, known.replyJson) }
    const now = new Date(options.clock.nowMs())
    const taken = await store.takeOverKey(db, { ...id, now, leaseUntil: leaseEnd(options) })
    if (taken) return { kind: 'taken-over', recorded: taken.recorded ?? '', requestId: taken.requestId }
    if (options.clock.outsideMs() > options.deadlineMs - ANSWER_MS)
      throw new NotDoneError('The first call with this key is still running')
    await sleep(POLL_MS)
  }
}

/**
 * Begins an effect that asks the outside between two transactions (design, rule 4). In one transaction the key is
 * claimed under a lease and `first` writes what will be asked, and gives its id; a refusal of `first` leaves no key.
 * A second call with the key waits for the first one's reply, and takes the key over when its lease ends without one.
 * @throws NotDoneError when the first call is still running shortly before the deadline
 */
export const claimIdempotencyKey = async <T, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  options: ClaimOptions,
  first: First<C>,
): Promise<Claim<T, C>> => {
  for (;;) {
    const claimed = await claimAndRecord(db, use, options, first)
    if (claimed?.ok) return { kind: 'claimed', recorded: claimed.recorded }
    if (claimed) return { kind: 'answered', outcome: claimed }
    const known = await waitForReply<T>(db, use, options)
    if (known) return known
  }
}

/** Stores the reply with the last transaction of the effect, and gives it. One that is stored stays as it is. */
export const storeReply = async <T>(tx: Transaction, use: KeyId, answer: Reply<T>): Promise<Reply<T>> => {
  await store.setReply(tx, { ...keyIdOf(use), ...storedReplyOf(answer) })
  return answer
}

/**
 * The reply that another call has stored which took the key over while this one was stalled, or null. It counts as a
 * replay unless the key is of this call's own request.
 */
export const readStoredReply = async <T>(tx: Transaction, use: KeyUse): Promise<Reply<T> | null> => {
  const known = await store.readKey(tx, keyIdOf(use))
  if (!known || known.replyJson === null) return null
  const { replay, ...own } = replayOf<T>(known, known.replyJson)
  return replay?.requestId === use.requestId ? own : { ...own, ...(replay && { replay }) }
}

/** Gives the key back, for a refusal decided before anything was sent. */
export const releaseKey = (tx: Transaction, use: KeyId): Promise<void> => store.deleteKey(tx, keyIdOf(use))

/** Ends the lease of a key whose outcome is not known yet, so that its next call continues at once. */
export const expireLease = (db: Queryable, use: KeyId, now: Date): Promise<void> =>
  store.setLeaseEnd(db, { ...keyIdOf(use), leaseUntil: new Date(now.getTime() - 1) })
