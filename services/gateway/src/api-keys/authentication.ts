import { randomBytes } from 'node:crypto'
import { equalInConstantTime, type Clock, type Db, type Vault } from '@causeway/chassis'
import type { Caller } from '@causeway/contracts'
import { merchantKeyStore } from './store.ts'
import type { Authenticated, Identity } from '../auth/identity.ts'
import type { createBuckets } from '../rate-limits/token-bucket.ts'

const PURPOSE = 'merchant-api-key'
const PREFIX = 'mk_'
const KEY_BYTES = 32
/** What is written otherwise was never issued, and needs no look-up. */
const KEY = /^mk_[\w-]{43}$/
/** Judged keys that are remembered; the oldest leaves first. */
const CAPACITY = 50_000
/** A key that is taken out of the table by hand ends within this; one that is revoked is forgotten at once. */
const REMEMBERED_MS = 30_000
const HINT_LENGTH = 4

/** A new key: 256 random bits behind a prefix by which leaked ones are found. */
export const newMerchantKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** What is stored of a key: without the root key a stolen table does not even allow to try. */
export const macOfMerchantKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')

/** The last characters, by which a merchant knows its keys apart; over 230 bits stay unknown. */
export const hintOfMerchantKey = (key: string): string => key.slice(-HINT_LENGTH)

export type MerchantKeyOptions = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  buckets: ReturnType<typeof createBuckets>
}>

/**
 * Authenticates the merchant API's `x-api-key`. Keys are looked up by their keyed hash, so that the time of a look-up
 * tells nothing of a key; only keys that exist are remembered, so that a new one counts at once on every replica.
 * All keys of a merchant share one allowance.
 */
export const createMerchantAuthentication = ({ db, vault, clock, buckets }: MerchantKeyOptions) => {
  const known = new Map<string, Readonly<{ identity: Identity; untilMs: number }>>()
  let timesForgotten = 0

  const remember = (mac: string, identity: Identity) => {
    if (known.size >= CAPACITY) {
      const oldest = known.keys().next()
      if (!oldest.done) known.delete(oldest.value)
    }
    known.set(mac, { identity, untilMs: clock.nowMs() + REMEMBERED_MS })
  }
  const establish = async (mac: string): Promise<Authenticated> => {
    const forgottenBefore = timesForgotten
    const row = await merchantKeyStore.find(db, mac)
    if (row === null || !equalInConstantTime(row.key_mac, mac)) return 'unknown'
    const caller: Caller = { kind: 'merchant', merchantId: row.merchant_id }
    const callerJson = JSON.stringify(caller)
    const identity: Identity = {
      client: row.merchant_id,
      callerJson,
      callerWithDefaultsJson: callerJson,
      callerWithLimitsJson: callerJson,
      scopes: null,
      role: null,
      addressRule: null,
      bucket: buckets.of(row.merchant_id, clock.nowMs()),
      actor: null,
    }
    // A key was revoked since this one was looked up, perhaps this one.
    if (timesForgotten === forgottenBefore) remember(mac, identity)
    return identity
  }

  return {
    authenticate(header: string | undefined): Authenticated | Promise<Authenticated> {
      if (header === undefined) return 'missing'
      if (!KEY.test(header)) return 'malformed'
      const mac = macOfMerchantKey(vault, header)
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
