import { equalInConstantTime, type Clock, type Db, type Logger, type Vault } from '@causeway/chassis'
import { macOfStaffKey } from './key.ts'
import { findStaffKey, recordStaffKeyUse, type StaffKeyRecord } from './store.ts'

/** At most one write per key and minute: `last_used_at` may be late by this and by the time that the edge caches a key. */
const RECORD_EVERY_MS = 60_000

type Options = Readonly<{ db: Db; vault: Vault; clock: Clock; log: Logger }>

async function recordUse(
  { db, log }: Options,
  { staffKeyId, lastUsedAt }: StaffKeyRecord,
  now: Date,
): Promise<void> {
  const unlessSince = new Date(now.getTime() - RECORD_EVERY_MS)
  if (lastUsedAt !== null && lastUsedAt > unlessSince) return
  await recordStaffKeyUse(db, { staffKeyId, now, unlessSince }).catch((error: unknown) =>
    log.warn(
      { event: 'staff_key.use_not_recorded', error, staffKeyId },
      'The use of a staff key was not recorded',
    ),
  )
}

/** Finds a staff key by its keyed hash, and records its use; null when it was never issued or is revoked. */
export async function findUsedStaffKey(options: Options, key: string): ReturnType<typeof findStaffKey> {
  const keyMac = macOfStaffKey(options.vault, key)
  const found = await findStaffKey(options.db, { keyMac })
  if (found === null || !equalInConstantTime(found.keyMac, keyMac)) return null
  await recordUse(options, found, options.clock.now())
  return found
}
