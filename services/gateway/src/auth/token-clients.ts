import { atMostEntries } from '@causeway/chassis'
import type { TokenClient } from '@causeway/contracts'
import { LRUCache } from 'lru-cache'
import type { AccessClient } from '../clients/access.ts'

/** Most clients in memory. */
const CAPACITY = 10_000

/**
 * Clients of tokens, read once and kept until they change: a token that this replica has not seen is valid also while
 * access is unavailable. Disabled and unknown clients are not kept.
 */
export const createTokenClients = (access: Pick<AccessClient, 'findTokenClient'>) => {
  const clients = new LRUCache<string, TokenClient>(atMostEntries(CAPACITY))
  const reading = new Map<string, Promise<TokenClient | null>>()
  let changes = 0

  const read = async (clientId: string): Promise<TokenClient | null> => {
    const changesBefore = changes
    const client = await access.findTokenClient(clientId)
    // A change during the read may be newer than what was read.
    if (client !== null && changes === changesBefore) clients.set(clientId, client)
    return client
  }
  return {
    /** Null for a client that is unknown or disabled. @throws NotDoneError when access is unavailable */
    find(clientId: string): Promise<TokenClient | null> {
      const known = clients.get(clientId)
      if (known !== undefined) return Promise.resolve(known)
      const pending = reading.get(clientId)
      if (pending !== undefined) return pending
      const started = read(clientId).finally(() => reading.delete(clientId))
      reading.set(clientId, started)
      return started
    },
    /** Forgets these clients; null: all. */
    invalidate(ids: readonly string[] | null) {
      changes += 1
      if (ids === null) clients.clear()
      else {
        for (const id of ids) {
          clients.delete(id)
          reading.delete(id)
        }
      }
    },
  }
}

export type TokenClients = ReturnType<typeof createTokenClients>
