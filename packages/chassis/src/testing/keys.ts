import { SENDER_PAIRS, SENDERS, type SenderName } from '@causeway/contracts'
import { createHash, createSecretKey } from 'node:crypto'
import { createEventSeals, type EventSeals } from '../bus/event-seals.ts'
import { createBusKeys, type BusKeys } from '../bus/keys.ts'
import { createSealer, type Seal } from '../bus/seal.ts'
import type { BusKey } from '../settings/values.ts'

const keyOf = (sender: string, receiver: string): Buffer =>
  createHash('sha256').update(`${sender}>${receiver} in tests`).digest()

/** The BUS_KEYS of a process of this name in tests. */
export const testBusKeys = (name: SenderName): BusKey[] =>
  SENDER_PAIRS.filter(({ sender, receiver }) => sender === name || receiver === name).map(
    ({ sender, receiver }) => ({ sender, receiver, key: keyOf(sender, receiver) }),
  )

/** The same as the setting's text. */
export const testBusKeysText = (name: SenderName): string =>
  testBusKeys(name)
    .map(({ sender, receiver, key }) => `${sender}>${receiver}=${key.toString('base64')}`)
    .join(',')

/** The event seals of a process of this name. */
export const testEventSeals = (name: SenderName, keys: readonly BusKey[] = testBusKeys(name)): EventSeals =>
  createEventSeals(createBusKeys(name, keys))

/** The keys of a fake that answers for any service. */
export const testReceiverKeys = (): BusKeys => {
  const checking = SENDERS.map((sender) => {
    const receivers = SENDER_PAIRS.filter((pair) => pair.sender === sender)
    return [sender, receivers.map(({ receiver }) => createSecretKey(keyOf(sender, receiver)))] as const
  })
  return { self: 'gateway', sealing: new Map(), checking: new Map(checking) }
}

const senderOf = (json: string): SenderName => {
  const { caller } = JSON.parse(json) as { caller?: { kind?: string; service?: string } }
  const named = caller?.kind === 'service' ? caller.service : 'gateway'
  return SENDERS.find((sender) => sender === named) ?? 'gateway'
}

/** Seals as the caller that the request names: a test sends requests as any part of the platform. */
export const sealAsNamed = (): Seal => {
  const sealers = new Map(
    SENDERS.map((self) => {
      const ofSelf = SENDER_PAIRS.filter(({ sender }) => sender === self)
      const sealing = new Map(
        ofSelf.map(({ receiver }) => [receiver, createSecretKey(keyOf(self, receiver))] as const),
      )
      return [self, createSealer({ self, sealing })] as const
    }),
  )
  return (subject, deadlineMs, json) => (sealers.get(senderOf(json)) as Seal)(subject, deadlineMs, json)
}
