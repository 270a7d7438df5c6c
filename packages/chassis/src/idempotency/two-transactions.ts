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
export type Claim<T, C extends ErrorCode, R extends { recorded: string } = { recorded: string }> =
  /** This call has claimed the key: `recorded` is the id of what was written with the claim. */
  | ({ kind: 'claimed'; leaseUntil: Date } & R)
  /** The earlier call with this request id ended between its transactions: continue from what it recorded. */
  | { kind: 'taken-over'; leaseUntil: Date; recorded: string; requestId: string }
  | { kind: 'answered'; outcome: Reply<T> | Refusal<C | 'idempotency_key_reuse'> }

type ClaimOptions = Readonly<{
  /** Longer than the timeout of the call to the outside. */
  leaseMs: number
  deadlineMs: number
  clock: Pick<Clock, 'nowMs' | 'outsideMs'>
}>
type First<C extends ErrorCode> = (tx: Transaction) => Promise<{ ok: true; recorded: string } | Refusal<C>>

const leaseEnd = ({ clock, leaseMs }: ClaimOptions): Date => new Date(clock.nowMs() + leaseMs)

/** Waits for the reply of the call that holds the key, or the end of its lease; null where no call holds it. */
export const resumeKey = async <T>(
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
    const leaseUntil = leaseEnd(options)
    const taken = await store.takeOverKey(db, { ...id, now, leaseUntil })
    if (taken) {
      const { recorded, requestId } = taken
      return { kind: 'taken-over', leaseUntil, recorded: recorded ?? '', requestId }
    }
    if (options.clock.outsideMs() > options.deadlineMs - ANSWER_MS)
      throw new NotDoneError('The first call with this key is still running')
    await sleep(POLL_MS)
  }
}

/** Parameters of a statement that claims the key itself ({@link store.CLAIMED_KEY}). */
export type KeyClaim = ReturnType<typeof claimOf> & Readonly<{ leaseUntil: Date }>

/** The values of a claim that begins now. */
export const keyClaimOf = (use: KeyUse, options: ClaimOptions): KeyClaim => {
  const leaseUntil = leaseEnd(options)
  return { ...claimOf(use, leaseUntil), leaseUntil }
}

/**
 * Begins an effect with a call to the outside between two transactions. `claim` claims the key under a lease and
 * records the intended call in one statement or transaction; null where another call holds the key.
 * A second call with the key waits for the first one's reply, and takes the key over when its lease ends without one.
 * @throws NotDoneError when the first call is still running shortly before the deadline
 */
export const beginUnderKey = async <T, R extends { recorded: string }, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  options: ClaimOptions,
  claim: (claim: KeyClaim) => Promise<R | Refusal<C> | null>,
): Promise<Claim<T, C, R>> => {
  for (;;) {
    const own = keyClaimOf(use, options)
    const claimed = await claim(own)
    if (claimed && 'recorded' in claimed) return { kind: 'claimed', leaseUntil: own.leaseUntil, ...claimed }
    if (claimed) return { kind: 'answered', outcome: claimed }
    const known = await resumeKey<T>(db, use, options)
    if (known) return known
  }
}

/**
 * As {@link beginUnderKey}, for an effect that begins with several statements: one transaction claims the key, and
 * `first` records the intended call in it and returns its id; a refusal of `first` releases the key.
 */
export const claimIdempotencyKey = <T, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  options: ClaimOptions,
  first: First<C>,
): Promise<Claim<T, C>> =>
  beginUnderKey<T, { recorded: string }, C>(db, use, options, (claim) =>
    db.transaction(async (tx) => {
      if (!(await store.claimKey(tx, claim))) return null
      const written = await first(tx)
      if (!written.ok) return written
      const { recorded } = written
      await store.recordProgress(tx, { ...keyIdOf(use), recorded })
      return { recorded }
    }),
  )

/** Stores the reply in the last transaction of the effect and returns it. A stored reply is never replaced. */
export const storeReply = async <T>(tx: Transaction, use: KeyId, answer: Reply<T>): Promise<Reply<T>> => {
  await store.setReply(tx, { ...keyIdOf(use), ...storedReplyOf(answer) })
  return answer
}

/**
 * The reply stored by another call that took the key over while this one was stalled, or null. It is a replay unless the
 * key was claimed by this call's own request.
 */
export const readStoredReply = async <T>(db: Queryable, use: KeyUse): Promise<Reply<T> | null> => {
  const known = await store.readKey(db, keyIdOf(use))
  if (!known || known.replyJson === null) return null
  const { replay, ...own } = replayOf<T>(known, known.replyJson)
  return replay?.requestId === use.requestId ? own : { ...own, ...(replay && { replay }) }
}

/** Removes a stored reply that is no longer true. The next call with the key takes it over and answers the outcome. */
export const forgetReply = (tx: Transaction, use: KeyId, now: Date): Promise<void> =>
  store.clearReply(tx, { ...keyIdOf(use), leaseUntil: new Date(now.getTime() - 1) })

/** Releases the key, for a refusal decided before anything was sent. */
export const releaseKey = (tx: Transaction, use: KeyId): Promise<void> => store.deleteKey(tx, keyIdOf(use))

/**
 * Releases the key of a call whose lease is still its own. False, and nothing is done, when another call has taken the
 * key over: what the first one recorded is that call's now.
 */
export const releaseOwnKey = async (tx: Transaction, use: KeyId, leaseUntil: Date): Promise<boolean> =>
  (await store.deleteLeasedKey(tx, { ...keyIdOf(use), leaseUntil })) !== null

/** Ends the lease of a key with an unknown outcome, so that the next call with it continues immediately. */
export const expireLease = (db: Queryable, use: KeyId, now: Date): Promise<void> =>
  store.setLeaseEnd(db, { ...keyIdOf(use), leaseUntil: new Date(now.getTime() - 1) })
