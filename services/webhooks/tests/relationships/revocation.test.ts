import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { DomainEvent } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { paymentEvent, SCHEDULE_MS, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit } from '../receiver.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

type Status = 'active' | 'revoked'
const eventIdOf = (hit: Hit): unknown => hit.headers['x-webhook-event-id']

/** Makes the event that onboarding emits when a relationship is revoked or reinstated. */
const changeOf = (partnerId: string, relationshipId: string, status: Status, version: number) => {
  const customerId = newId('merchant')
  const common = { created_at: new Date().toISOString(), merchant: null, fact: null }
  const fact: DomainEvent = {
    ...common,
    id: newId('event'),
    name: 'relationship.changed',
    partners: [],
    fact: {
      kind: 'relationship',
      relationship: {
        partner_customer_id: relationshipId,
        partner_id: partnerId,
        customer_id: customerId,
        status,
        capabilities: [],
        version,
      },
    },
  }
  const type = 'customer.updated' as const
  const data = { partner_customer_id: relationshipId, customer_id: customerId, relationship_status: status }
  const copy = { partner_id: partnerId, partner_customer_id: relationshipId, type, data }
  const notice: DomainEvent = { ...common, id: newId('event'), name: type, partners: [copy] }
  return { fact, notice }
}
const paymentOf = (partnerId: string, relationshipId: string): DomainEvent => {
  const data = { partner_customer_id: relationshipId, order_id: newId('cryptoOrder') }
  const type = 'payment.confirmed' as const
  return paymentEvent(partnerId, {
    partners: [{ partner_id: partnerId, partner_customer_id: relationshipId, type, data }],
  })
}

test("ends waiting deliveries unsent once their relationship is revoked, and sends the revocation and other customers' events", async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver((response) => response.writeHead(500).end())
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const [revokedId, keptId] = [newId('relationship'), newId('relationship')]
  const [stopped, kept] = [paymentOf(partnerId, revokedId), paymentOf(partnerId, keptId)]
  for (const event of [stopped, kept]) await harness.publishEvent(event)
  const deliveries = () => harness.deliveriesOf(partnerId, webhook.webhook_id)
  await eventually(async () => {
    const made = await deliveries()
    return made.length === 2 && made.every(({ attempts }) => attempts.length === 1)
  })
  const { fact, notice } = changeOf(partnerId, revokedId, 'revoked', 2)
  for (const event of [fact, notice]) await harness.publishEvent(event)
  await eventually(async () => (await deliveries()).length === 3)
  receiver.answerWith((response) => response.end())
  const before = receiver.hits.length
  harness.clock.advance(SCHEDULE_MS[0] ?? 0)
  const statusOf = async (eventId: string) =>
    (await deliveries()).find(({ event_id: id }) => id === eventId)?.status
  await eventually(async () => (await statusOf(kept.id)) === 'delivered')
  await eventually(async () => (await statusOf(notice.id)) === 'delivered')
  await eventually(async () => (await statusOf(stopped.id)) === 'dead')
  expect(receiver.hits.slice(before).map(eventIdOf)).not.toContain(stopped.id)
  const ended = (await deliveries()).find(({ event_id: id }) => id === stopped.id)
  expect([ended?.attempts.length, ended?.next_attempt_at]).toEqual([1, null])
  await receiver.close()
})

test('ignores a late notice of a revocation for a relationship that was reinstated meanwhile', async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver((response) => response.writeHead(500).end())
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const relationshipId = newId('relationship')
  await harness.publishEvent(changeOf(partnerId, relationshipId, 'active', 3).fact)
  await harness.publishEvent(changeOf(partnerId, relationshipId, 'revoked', 2).fact)
  const event = paymentOf(partnerId, relationshipId)
  await harness.publishEvent(event)
  await harness.deliveryWhen(partnerId, webhook.webhook_id, ({ attempts }) => attempts.length === 1)
  receiver.answerWith((response) => response.end())
  harness.clock.advance(SCHEDULE_MS[0] ?? 0)
  await harness.deliveryWhen(partnerId, webhook.webhook_id, ({ status }) => status === 'delivered')
  expect(receiver.hits.map(eventIdOf)).toEqual([event.id, event.id])
  await receiver.close()
})
