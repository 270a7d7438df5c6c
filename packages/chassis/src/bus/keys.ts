import { SENDER_PAIRS, type SenderName } from '@causeway/contracts'
import { createSecretKey, type KeyObject } from 'node:crypto'
import { ConfigError } from '../settings/load.ts'
import type { BusKey } from '../settings/values.ts'

/** The keys of one process: for sealing requests by receiver, and for checking them by sender. Read at each use. */
export type BusKeys = Readonly<{
  self: SenderName
  sealing: ReadonlyMap<string, KeyObject>
  /** All of them are tried: during a rotation two are valid. */
  checking: ReadonlyMap<string, readonly KeyObject[]>
}>

/** Keys that may be replaced while the process runs. */
export type LiveBusKeys = BusKeys & Readonly<{ replace: (given: readonly BusKey[]) => void }>

/** The old key and the new one, during a rotation. */
const MAX_KEYS_A_PAIR = 2

const pairOf = ({ sender, receiver }: Pick<BusKey, 'sender' | 'receiver'>) => `${sender}>${receiver}`
const ALLOWED = new Set(SENDER_PAIRS.map(pairOf))

const faultOf = (self: SenderName, entries: readonly BusKey[]): string | null => {
  for (const entry of entries) {
    const pair = pairOf(entry)
    if (entry.sender !== self && entry.receiver !== self)
      return `contains the key of ${pair}, which ${self} must not have`
    const ofPair = entries.filter((other) => pairOf(other) === pair)
    if (ofPair.length > MAX_KEYS_A_PAIR) return `contains more than ${MAX_KEYS_A_PAIR} keys of ${pair}`
    const twin = entries.find((other) => pairOf(other) !== pair && other.key.equals(entry.key))
    if (twin) return `contains the same key for ${pair} and ${pairOf(twin)}`
  }
  const known = new Set(entries.map(pairOf))
  const missing = SENDER_PAIRS.filter(({ sender, receiver }) => sender === self || receiver === self)
    .map(pairOf)
    .find((pair) => !known.has(pair))
  return missing === undefined ? null : `does not contain the key of ${missing}`
}

/** @throws ConfigError that names the setting and the pair: missing, or not this process's */
const readKeys = (self: SenderName, given: readonly BusKey[]): Omit<BusKeys, 'self'> => {
  // A pair of a later release: its keys are made before the processes are replaced, and stay when one goes back.
  const entries = given.filter((entry) => ALLOWED.has(pairOf(entry)))
  const fault = faultOf(self, entries)
  if (fault !== null) throw new ConfigError(`Bad settings: BUS_KEYS ${fault}`)
  const sealing = new Map<string, KeyObject>()
  const checking = new Map<string, KeyObject[]>()
  for (const { sender, receiver, key } of entries) {
    const secret = createSecretKey(key)
    if (sender === self && !sealing.has(receiver)) sealing.set(receiver, secret)
    if (receiver === self) checking.set(sender, [...(checking.get(sender) ?? []), secret])
  }
  return { sealing, checking }
}

/**
 * The keys of a process by its name, from the entries of BUS_KEYS. Those of pairs that this release does not know are
 * ignored.
 * @throws ConfigError that names the setting and the pair: missing, or not this process's; so does `replace`, which then
 * replaces nothing
 */
export const createBusKeys = (self: SenderName, given: readonly BusKey[]): LiveBusKeys => {
  let keys = readKeys(self, given)
  return {
    self,
    get sealing() {
      return keys.sealing
    },
    get checking() {
      return keys.checking
    },
    replace(next) {
      keys = readKeys(self, next)
    },
  }
}
