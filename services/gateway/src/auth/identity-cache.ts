import { atMostEntries, NotDoneError, type Clock } from '@causeway/chassis'
import { LRUCache } from 'lru-cache'
import type { Authenticated, CredentialFault, Identity } from './identity.ts'

/** A verified credential: who calls, until when it may be cached, and the id of the key or client that invalidates it. */
export type Verified = Readonly<{
  identity: Identity
  expiresAtMs: number
  invalidatedBy: string
  /** True if it stays valid after `expiresAtMs` while access, where it is verified again, is unavailable. */
  outlastsOutage?: boolean
}>

/**
 * Caches identities by credential, so that a further request with it costs one look-up. Only valid credentials are
 * cached, so that a new one is valid immediately on every replica.
 * @param capacity maximum number of credentials; the least recently used one is evicted first
 */
export const createIdentityCache = (clock: Clock, capacity: number) => {
  const cache = new LRUCache<string, Verified>(atMostEntries(capacity))
  const inFlight = new Map<string, Promise<Authenticated>>()
  let invalidations = 0

  const verified = async (
    credential: string,
    verify: () => Promise<Verified | CredentialFault>,
  ): Promise<Authenticated> => {
    const invalidationsBefore = invalidations
    const found = await verify()
    if (typeof found === 'string') return found
    // An invalidation during the verification may be newer than what was read: the result is not cached.
    if (invalidations === invalidationsBefore) cache.set(credential, found)
    return found.identity
  }

  /** The identity that outlasts an outage of access, unless it was invalidated meanwhile. @throws the error otherwise */
  const keptIdentity = (credential: string, error: unknown): Identity => {
    const kept = error instanceof NotDoneError ? cache.get(credential) : undefined
    if (kept?.outlastsOutage !== true) throw error
    return kept.identity
  }

  return {
    /** The cached identity, or that of a verification, which concurrent calls with the same credential share. */
    identify(
      credential: string,
      verify: () => Promise<Verified | CredentialFault>,
    ): Authenticated | Promise<Authenticated> {
      const cached = cache.get(credential)
      if (cached !== undefined && cached.expiresAtMs > clock.nowMs()) return cached.identity
      if (cached !== undefined && cached.outlastsOutage !== true) cache.delete(credential)
      const pending = inFlight.get(credential)
      if (pending !== undefined) return pending
      const started = verified(credential, verify)
        .then((found) => {
          if (typeof found === 'string') cache.delete(credential)
          return found
        })
        .catch((error: unknown) => keptIdentity(credential, error))
        .finally(() => inFlight.delete(credential))
      inFlight.set(credential, started)
      return started
    },
    /** Removes every credential with one of these ids (`invalidatedBy`), which is verified again; null: all. */
    invalidate: (ids: readonly string[] | null) => {
      if (ids?.length === 0) return
      invalidations += 1
      if (ids === null) {
        cache.clear()
        return
      }
      const invalid = new Set(ids)
      const removed = [...cache.entries()].filter(([, { invalidatedBy }]) => invalid.has(invalidatedBy))
      for (const [credential] of removed) cache.delete(credential)
    },
  }
}
