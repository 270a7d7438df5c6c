import { randomBytes } from 'node:crypto'
import { equalInConstantTime, type Clock, type Db, type Logger, type Vault } from '@causeway/chassis'
import type { Caller } from '@causeway/contracts'
import { staffKeyStore, type StaffKeyRow } from './store.ts'
import type { Authenticated, Identity } from '../auth/identity.ts'
import type { createBuckets } from '../rate-limits/token-bucket.ts'

const PURPOSE = 'staff-key'
const PREFIX = 'staff_'
const KEY_BYTES = 32
/** What is written otherwise was never issued, and needs no look-up. */
const KEY = /^staff_[\w-]{43}$/
/** A key that is taken out of the table by hand ends within this; one that is revoked is forgotten at once. */
const REMEMBERED_MS = 30_000
/** At most one write a minute and key: `last_used_at` is accurate to this and `REMEMBERED_MS` together. */
const TOUCH_EVERY_MS = 60_000

/** A new key: 256 random bits behind a prefix by which leaked ones are found. */
export const newStaffKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** What is stored of a key: without the root key a stolen table does not even allow to try. */
export const macOfStaffKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')

export type StaffKeyOptions = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  log: Logger
  buckets: ReturnType<typeof createBuckets>
}>

/**
 * Authenticates named staff keys. As merchants' keys, they are looked up by their keyed hash, and only valid ones are
 * remembered, until they are revoked.
 */
export const createStaffAuthentication = ({ db, vault, clock, log, buckets }: StaffKeyOptions) => {
  const known = new Map<string, Readonly<{ identity: Identity; untilMs: number }>>()
  let timesForgotten = 0

  const touch = async ({ staff_key_id: id, last_used_at: lastUsed }: StaffKeyRow, nowMs: number) => {
    const unlessSince = new Date(nowMs - TOUCH_EVERY_MS)
    if (lastUsed !== null && lastUsed > unlessSince) return
    await staffKeyStore
      .touch(db, id, new Date(nowMs), unlessSince)
      .catch((error: unknown) =>
        log.warn({ error, staffKeyId: id }, 'The use of a staff key was not recorded'),
      )
  }

  const establish = async (mac: string): Promise<Authenticated> => {
    const forgottenBefore = timesForgotten
    const row = await staffKeyStore.find(db, mac)
    if (row === null || !equalInConstantTime(row.key_mac, mac)) return 'unknown'
    const nowMs = clock.nowMs()
    const actor = row.staff_key_id
    const callerJson = JSON.stringify({ kind: 'operator', actor } satisfies Caller)
    const identity: Identity = {
      client: actor,
      callerJson,
      callerWithDefaultsJson: callerJson,
      callerWithLimitsJson: callerJson,
      scopes: null,
      role: row.role,
      addressRule: null,
      bucket: buckets.of(actor, nowMs),
      actor,
    }
    await touch(row, nowMs)
    // A key was revoked since this one was looked up, perhaps this one.
    if (timesForgotten === forgottenBefore) known.set(mac, { identity, untilMs: nowMs + REMEMBERED_MS })
    return identity
  }

  return {
    authenticate(key: string): Authenticated | Promise<Authenticated> {
      if (!KEY.test(key)) return 'unknown'
      const mac = macOfStaffKey(vault, key)
      const remembered = known.get(mac)
      if (remembered !== undefined && remembered.untilMs > clock.nowMs()) return remembered.identity
      known.delete(mac)
      return establish(mac)
    },
    /** Forgets revoked keys, given by their keyed hashes; their next call is judged anew. */
    forget(macs: readonly string[]) {
      if (macs.length > 0) timesForgotten += 1
      for (const mac of macs) known.delete(mac)
    },
  }
}
