import type { ServiceName } from '@causeway/contracts'
import { createSecretKey, type KeyObject } from 'node:crypto'
import { decryptWith, deriveKey, encryptWith } from '../crypto.ts'
import type { BusKeys } from './keys.ts'

/** Encrypts a part of an event for one service, under a key derived from that of the pair (ADR 0044). */
export type EventSeals = Readonly<{
  /** AES-256-GCM under the first key of the pair, bound to the event. @throws when there is no key for the receiver */
  seal: (receiver: ServiceName, eventId: string, text: string) => string
  /** @throws when it was not sealed for this event under a key of the pair, or was altered */
  open: (sender: ServiceName, eventId: string, sealed: string) => string
}>

type SealingKey = Readonly<{ id: string; key: KeyObject }>

const VERSION = 'v1'

const toSealingKey = (pairKey: KeyObject): SealingKey => {
  const key = deriveKey(pairKey, 'event-seal')
  return { id: deriveKey(key, 'key-id').toString('hex').slice(0, 8), key: createSecretKey(key) }
}

/** A sealed text is `v1.<key id>.<nonce, ciphertext and tag in base64url>`. */
export const createEventSeals = (own: BusKeys): EventSeals => {
  const { self } = own
  const derived = new WeakMap<KeyObject, SealingKey>()
  const keyOf = (pairKey: KeyObject): SealingKey => {
    const known = derived.get(pairKey) ?? toSealingKey(pairKey)
    derived.set(pairKey, known)
    return known
  }
  const contextOf = (sender: string, receiver: string, eventId: string) =>
    `event:${sender}>${receiver}:${eventId}`
  return {
    seal(receiver, eventId, text) {
      const pairKey = own.sealing.get(receiver)
      if (pairKey === undefined) throw new Error(`${self} has no key to seal events for ${receiver}`)
      const { id, key } = keyOf(pairKey)
      return `${VERSION}.${id}.${encryptWith(key, text, contextOf(self, receiver, eventId))}`
    },
    open(sender, eventId, sealed) {
      const [version, keyId, encoded] = sealed.split('.')
      const keys = (own.checking.get(sender) ?? []).map(keyOf)
      const found = keys.find(({ id }) => id === keyId)
      if (version !== VERSION || found === undefined || encoded === undefined)
        throw new Error(
          `A sealed event names a key of ${sender}>${self} that is not in BUS_KEYS; known keys: ${keys.map(({ id }) => id).join(', ')}`,
        )
      return decryptWith(found.key, encoded, contextOf(sender, self, eventId)).toString('utf8')
    },
  }
}
