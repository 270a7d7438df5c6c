import type { Clock } from '@causeway/chassis'
import { LRUCache } from 'lru-cache'
import type { Authenticated, CredentialFault, Identity } from './identity.ts'

/** What a verification found: who calls, until when that may be believed, and by what it is invalidated. */
export type Verified = Readonly<{ identity: Identity; expiresAtMs: number; invalidatedBy: string }>

/**
 * Caches who calls by credential, so that a further request with it costs one look-up. Only credentials that are right
 * are cached, so that a new one counts at once on every replica.
 * @param capacity most credentials; the one that was used least recently leaves first
 */
export const createIdentityCache = (clock: Clock, capacity: number) => {
  const cache = new LRUCache<string, Verified>({ max: capacity })
  const inFlight = new Map<string, Promise<Authenticated>>()
  let invalidations = 0

  const verified = async (
    credential: string,
    verify: () => Promise<Verified | CredentialFault>,
  ): Promise<Authenticated> => {
    const invalidationsBefore = invalidations
    const found = await verify()
    if (typeof found === 'string') return found
    // What was read may be older than what was invalidated meanwhile: it is not cached.
    if (invalidations === invalidationsBefore) cache.set(credential, found)
    return found.identity
  }

  return {
    /** The cached identity, or that of a verification, which calls of the same credential share. */
    identify(
      credential: string,
      verify: () => Promise<Verified | CredentialFault>,
    ): Authenticated | Promise<Authenticated> {
      const cached = cache.get(credential)
      if (cached !== undefined && cached.expiresAtMs > clock.nowMs()) return cached.identity
      if (cached !== undefined) cache.delete(credential)
      const underWay = inFlight.get(credential)
      if (underWay !== undefined) return underWay
      const started = verified(credential, verify).finally(() => inFlight.delete(credential))
      inFlight.set(credential, started)
      return started
    },
    /** Drops every credential that one of these invalidates; its next call is verified again. */
    invalidate: (ids: readonly string[]) => {
      if (ids.length === 0) return
      invalidations += 1
      const invalid = new Set(ids)
      const dropped = [...cache.entries()].filter(([, { invalidatedBy }]) => invalid.has(invalidatedBy))
      for (const [credential] of dropped) cache.delete(credential)
    },
  }
}
