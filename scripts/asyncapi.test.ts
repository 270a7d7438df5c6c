import { CONSUMERS, EVENT_NAMES, SENDERS, SERVICES } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { natsPermissions, streamSubjects } from '@causeway/dev-env/infrastructure/nats-permissions'
import { describeBus, renderBus } from '@causeway/reference'

type Operation = Readonly<{
  action: string
  channel: { $ref: string }
  tags: { name: string }[]
  messages?: { $ref: string }[]
  reply?: { channel: { $ref: string }; messages: { $ref: string }[] }
}>
type Bus = Readonly<{
  channels: Record<string, { address: string | null; messages: Record<string, { payload: unknown }> }>
  operations: Record<string, Operation>
}>

const bus = describeBus() as Bus
const addresses = Object.values(bus.channels).flatMap(({ address }) => address ?? [])

/** A subject of the permissions without the queue group that it is bound to. */
const subjectOf = (permission: string): string => permission.split(' ')[0] ?? ''

/** Inboxes, JetStream's API, and the subjects of refused replies (ADR 0098), which carry the replies of all operations. */
const UNDESCRIBED = /^([_$]|replies\.)/

/** Subjects that the processes of a deployment may publish and subscribe to, except the undescribed ones. */
const allowedSubjects = (): string[] => {
  const all = SENDERS.flatMap((user) => {
    const { publish, subscribe } = natsPermissions(user, false)
    return [...publish, ...subscribe.map(subjectOf), ...streamSubjects(user).map(({ subject }) => subject)]
  })
  return [...new Set(all)].filter((subject) => !UNDESCRIBED.test(subject))
}

test('describes every subject that the bus allows, and no other', () => {
  expect(addresses.toSorted()).toEqual(allowedSubjects().toSorted())
  expect(addresses.length).toBeGreaterThan(150)
})

test('lists a receiver for each right to subscribe, and a sender for each right to publish', () => {
  const acts = new Set(
    Object.values(bus.operations).flatMap(({ action, channel, tags }) =>
      tags.map(({ name }) => `${name} ${action} ${channel.$ref.slice('#/channels/'.length)}`),
    ),
  )
  const expected = SERVICES.flatMap((service) => [
    ...natsPermissions(service, false)
      .subscribe.map(subjectOf)
      .filter((subject) => !UNDESCRIBED.test(subject))
      .map((subject) => `${service} receive ${subject}`),
    ...streamSubjects(service)
      .filter(({ subject }) => subject.startsWith('events.'))
      .map(({ subject }) => `${service} send ${subject}`),
  ])
  expect(expected.filter((act) => !acts.has(act))).toEqual([])
})

test('lists for every durable consumer the events that pass its filter', () => {
  const received = Object.keys(bus.operations).filter((name) => bus.operations[name]?.action === 'receive')
  const byConsumer = (durable: string) => received.filter((name) => name.startsWith(`${durable}.`)).length
  const counts = Object.values(CONSUMERS).flatMap((consumers) =>
    Object.keys(consumers).map((durable) => [durable, byConsumer(durable)]),
  )
  expect(Object.fromEntries(counts)).toEqual({
    'access-notices': 5,
    'ledger-facts': 4,
    'ledger-projection': 1,
    'onboarding-disputes': 1,
    'payments-projection': 1,
    'refunds-counted': 1,
    'webhooks-fanout': EVENT_NAMES.length,
    'webhooks-projection': 1,
  })
})

test('lists every message of every operation in its channel', () => {
  const has = ($ref: string): boolean => {
    const [, , channel = '', , message = ''] = $ref.split('/')
    return bus.channels[channel]?.messages[message]?.payload !== undefined
  }
  const references = Object.values(bus.operations).flatMap(({ messages = [], reply }) =>
    [...messages, ...(reply?.messages ?? [])].map(({ $ref }) => $ref),
  )
  expect(references.filter(($ref) => !has($ref))).toEqual([])
  expect(references.length).toBeGreaterThan(300)
})

test('writes the document to its file', () => {
  expect(JSON.parse(renderBus())).toEqual(bus)
})
