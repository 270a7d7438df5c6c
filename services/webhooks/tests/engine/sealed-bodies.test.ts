import { createLogger, newId } from '@causeway/chassis'
import { rotateSealingKey } from '@causeway/chassis/database'
import {
  openTestDb,
  eventually,
  keptInClear,
  testBusKeys,
  testEventSeals,
  testKeyRing,
} from '@causeway/chassis/testing'
import type { DomainEvent } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { SEALED_COLUMNS, VAULT_USE } from '../../src/columns.ts'
import { merchantEvent, startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'
import { startReceiver, type Receiver } from '../receiver.ts'

const ADDRESS = '203.0.113.77'
const RETRY_MS = 15 * 60_000

let fixture: MerchantFixture
let receiver: Receiver
beforeAll(async () => {
  fixture = await startMerchantFixture()
  receiver = await startReceiver()
})
afterAll(async () => {
  await fixture.stop()
  await receiver.close()
})

/** The keys of a service, those of payments to webhooks replaced by these. */
const keysOf = (self: 'payments' | 'webhooks', ...keys: Buffer[]) => [
  ...testBusKeys(self).filter(({ sender, receiver: to }) => sender !== 'payments' || to !== 'webhooks'),
  ...keys.map((key) => ({ sender: 'payments', receiver: 'webhooks', key })),
]
const ownKey = testBusKeys('payments').find(({ receiver: to }) => to === 'webhooks')?.key ?? Buffer.alloc(0)

/** The body for the merchant: as it is sealed, and the text that is delivered. */
const disputeOf = (merchantId: string, name: 'chargeback' | 'risk_alert') => {
  const event = merchantEvent(merchantId, null, name)
  const body = { ...event.merchant?.body, event: name, risk: { ip: ADDRESS, ipMasked: '203.0.***.***' } }
  const { id: eventId, created_at: occurredAt, sequence } = event
  return { event, body, text: JSON.stringify({ ...body, eventId, occurredAt, sequence }) }
}
type Dispute = ReturnType<typeof disputeOf>
/** As payments emits it. */
const sealedBy = (key: Buffer, { event, body }: Dispute): DomainEvent => {
  const seals = testEventSeals('payments', keysOf('payments', key))
  const sealed_body = seals.seal('webhooks', event.id, JSON.stringify(body))
  const { merchant } = event
  if (!merchant) throw new Error('No merchant')
  return { ...event, merchant: { ...merchant, body: { event: merchant.event }, sealed_body } }
}

const kept = () => keptInClear(ADDRESS, fixture.harness.config.databaseUrl, fixture.harness.bus)
const bodiesAt = (webhookId: string): string[] =>
  receiver.hits.filter((hit) => hit.headers['x-webhook-id'] === webhookId).map(({ body }) => body)

const parkedId = newId('merchant')
let parked: Dispute

test('does not delay the other events of a batch when one cannot be opened', async () => {
  parked = disputeOf(parkedId, 'chargeback')
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  const good = disputeOf(merchant.merchantId, 'chargeback')
  await Promise.all(
    [sealedBy(randomBytes(32), parked), sealedBy(ownKey, good)].map(fixture.harness.publishEvent),
  )
  await eventually(() => bodiesAt(id).length === 1)
  expect(bodiesAt(id)).toEqual([good.text])
})

test.each(['chargeback', 'risk_alert'] as const)(
  "delivers the payer's address of a %s to the receiver and the merchant's log, and stores it nowhere in plain text",
  async (name) => {
    const merchant = fixture.newMerchant()
    const { id } = await merchant.registered({ url: receiver.url })
    const dispute = disputeOf(merchant.merchantId, name)
    await fixture.harness.publishEvent(sealedBy(ownKey, dispute))
    await merchant.deliveryWhen(id, ({ status }) => status === 'delivered')
    expect(bodiesAt(id)).toEqual([dispute.text])
    expect(await merchant.event(dispute.event.id)).toMatchObject({
      value: { event: { payload: dispute.body } },
    })
    expect(await kept()).toEqual([])
  },
)

test('sends the same body in retries and redeliveries, also with the keys replaced in between', async () => {
  const { harness } = fixture
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  const [first, second] = [
    disputeOf(merchant.merchantId, 'chargeback'),
    disputeOf(merchant.merchantId, 'risk_alert'),
  ]
  receiver.answerWith((response) => response.writeHead(503).end())
  await harness.publishEvent(sealedBy(ownKey, first))
  await merchant.deliveryWhen(id, ({ attempts }) => attempts.length === 1)
  receiver.answerWith((response) => response.end('ok'))

  await harness.stopReplicas()
  await harness.publishEvent(sealedBy(ownKey, second))
  const newKey = randomBytes(32)
  await harness.startReplica({
    busKeys: keysOf('webhooks', newKey, ownKey),
    keys: { ...harness.config.keys, refreshMs: 20 },
  })
  await eventually(() => bodiesAt(id).includes(second.text))
  harness.clock.advance(RETRY_MS)
  await eventually(() => bodiesAt(id).filter((body) => body === first.text).length === 2)

  const log = createLogger({ service: 'test', level: 'silent' })
  const { databaseUrl, keys } = harness.config
  const { clock } = harness
  const db = openTestDb(databaseUrl, clock)
  const ring = await testKeyRing('webhooks', { db, databaseUrl, config: keys, use: VAULT_USE })
  const whenAllHaveRead = async () => undefined
  await rotateSealingKey({ db, ring, columns: SEALED_COLUMNS, clock, log, whenAllHaveRead })
  const rows = await harness.sql<{ key: string }>(
    `SELECT DISTINCT split_part(body_sealed, '.', 2) AS key FROM events WHERE body_sealed IS NOT NULL`,
  )
  expect(rows).toEqual([{ key: ring.vault.sealingKeyId }])
  await db.close()
  await eventually(async () => (await merchant.event(first.event.id)).ok)
  expect(await merchant.resend(id, first.event.id)).toMatchObject({ ok: true })
  await eventually(() => bodiesAt(id).filter((body) => body === first.text).length === 3)

  const third = disputeOf(merchant.merchantId, 'chargeback')
  await harness.publishEvent(sealedBy(newKey, third))
  await eventually(() => bodiesAt(id).includes(third.text))
  expect(await kept()).toEqual([])
})

test('parks an event that cannot be opened, sealed as it came', async () => {
  const rows = await eventually(async () => {
    const found = await fixture.harness.sql<{ event_id: string; error: string }>(
      'SELECT event_id, error FROM parked_events',
    )
    return found.length > 0 && found
  })
  expect(rows).toEqual([
    {
      event_id: parked.event.id,
      error: expect.stringMatching(/^A sealed event names a key of payments>webhooks/),
    },
  ])
  expect(await kept()).toEqual([])
})

test('delivers an event that is older than sealed bodies unchanged', async () => {
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  const { event, body, text } = disputeOf(merchant.merchantId, 'chargeback')
  const { merchant: notice } = event
  if (!notice) throw new Error('No merchant')
  await fixture.harness.publishEvent({ ...event, merchant: { ...notice, body } })
  await eventually(() => bodiesAt(id).length === 1)
  expect(bodiesAt(id)).toEqual([text])
  // Proves that the search finds clear text: it does in the message and in the row.
  await eventually(async () => (await kept()).length === 2)
})
