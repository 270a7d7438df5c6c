import type { ErrorCode, Refusal } from '@causeway/contracts'
import type { Db, Transaction } from '../db/db.ts'
import { refuse, type Outcome, type Reply } from '../outcome.ts'
import { claimOf, fingerprintOf, keyIdOf, replayOf, storedReplyOf, type KeyUse } from './key-use.ts'
import { claimKey, readKey, setReply } from './store.ts'

/**
 * Runs an effect once for each key: the key's row and the effect commit in one transaction. A second call waits for the
 * first and replays its stored reply; a refusal rolls the key back, so that the key may be used again.
 * @param hide runs first, in the same transaction, and may refuse: a resource that the caller may no longer see is not
 *   replayed either. Null continues
 */
export const withIdempotency = async <T, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  effect: (tx: Transaction) => Promise<Outcome<T, C>>,
  hide: (tx: Transaction) => Promise<Refusal<C> | null> = () => Promise.resolve(null),
): Promise<Outcome<T, C | 'idempotency_key_reuse'>> =>
  db.transaction(async (tx) => {
    const hidden = await hide(tx)
    if (hidden) return hidden
    if (!(await claimKey(tx, claimOf(use, null)))) return replayStored(tx, use)
    const outcome = await effect(tx)
    if (outcome.ok) await setReply(tx, { ...keyIdOf(use), ...storedReplyOf(outcome) })
    return outcome
  })

/** Owner of the keys of all staff: what one person has done is not done again by another with the same key. */
const STAFF = 'operator'

type StaffRequest = Readonly<{
  idempotencyKey: string | undefined
  requestId: string
  params: unknown
  body: unknown
  now: Date
}>

/** Runs an effect that staff ask for in a transaction: once, if the request has a key. */
export const withStaffKey = async <T, C extends ErrorCode>(
  db: Db,
  { subject }: Readonly<{ subject: string }>,
  { idempotencyKey: key, requestId, params, body, now }: StaffRequest,
  effect: (tx: Transaction) => Promise<Outcome<T, C>>,
): Promise<Outcome<T, C | 'idempotency_key_reuse'>> => {
  if (key === undefined) return db.transaction(effect)
  const use = { partnerId: STAFF, operation: subject, key, requestId, now }
  return withIdempotency(db, { ...use, fingerprint: fingerprintOf(params, body) }, effect)
}

const replayStored = async <T>(
  tx: Transaction,
  use: KeyUse,
): Promise<Reply<T> | Refusal<'idempotency_key_reuse'>> => {
  const stored = await readKey(tx, keyIdOf(use))
  if (stored === null || stored.replyJson === null) throw new Error('An idempotency key has no stored reply')
  return stored.fingerprint === use.fingerprint
    ? replayOf(stored, stored.replyJson)
    : refuse('idempotency_key_reuse')
}
