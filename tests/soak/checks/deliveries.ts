import { groupBy } from '../journal.ts'
import { mayKeepWaiting, takesAll, type Destination } from '../receivers.ts'
import type { ReadRows } from './databases.ts'
import { expectCount, type Findings } from './findings.ts'
import { ownersOf, type EmittedEvent } from './outbox.ts'

type DeliveryRow = Readonly<{ destinationId: string; eventId: string; state: string; ownerId: string }>

/**
 * Each event has one delivery to each destination of its owner, which ended as its receiver answers; a receiver that
 * takes everything has each event, with a valid signature. All destinations are older than the first event of the load.
 */
export const checkDeliveries = async (
  emitted: readonly EmittedEvent[],
  destinations: readonly Destination[],
  read: ReadRows,
  findings: Findings,
): Promise<void> => {
  const rows = await read<DeliveryRow>(
    'webhooks',
    `SELECT destination_id AS "destinationId", event_id AS "eventId", state, owner_id AS "ownerId" FROM deliveries`,
  )
  const rowsOf = groupBy(rows, ({ destinationId, eventId }) => `${destinationId} ${eventId}`)
  const firstOf = new Map(
    [...groupBy(rows, ({ destinationId }) => destinationId)].map(([id, own]) => [
      id,
      own.map(({ eventId }) => eventId).sort()[0] ?? '',
    ]),
  )
  for (const destination of destinations) {
    const { webhookId, ownerId, kind, received, faults } = destination
    const expectedState = takesAll(kind) ? 'delivered' : 'dead'
    const ends = mayKeepWaiting(kind) ? [expectedState, 'waiting'] : [expectedState]
    const first = firstOf.get(webhookId) ?? ''
    const owed = emitted.filter((event) => event.id >= first && ownersOf(event).includes(ownerId))
    for (const { id, name } of owed) {
      const own = rowsOf.get(`${webhookId} ${id}`) ?? []
      const what = () => `${name} ${id} to ${kind} ${webhookId}`
      expectCount(findings, 'delivery: one an event and destination', own.length, { min: 1, max: 1 }, what)
      findings.expect(
        'lost',
        `delivery: ${expectedState} at a ${kind} receiver`,
        own.every(({ state }) => ends.includes(state)),
        () => `${what()} is ${own.map(({ state }) => state).join()}`,
      )
      if (destination.channel === 'partner' && takesAll(kind))
        findings.expect('lost', 'delivery: received', received.has(id), what)
    }
    // A merchant's body does not name its event: each event has a different body.
    if (destination.channel === 'merchant' && takesAll(kind))
      expectCount(
        findings,
        'delivery: received by merchants',
        received.size,
        { min: owed.length, max: owed.length },
        () => `different bodies at ${webhookId}`,
      )
    findings.expect(
      'wrong',
      'delivery: signed',
      faults.length === 0,
      () => `${faults.length} at ${webhookId}: ${String(faults[0])}`,
    )
  }
}

/** How often a receiver that takes everything got an event again: allowed, and rare. */
export const countRepeats = (destinations: readonly Destination[]): number =>
  destinations
    .filter(({ kind }) => kind === 'good' || kind === 'slow')
    .flatMap(({ received }) => [...received.values()])
    .reduce((sum, times) => sum + times - 1, 0)
