import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { copyPostgres } from '@causeway/dev-env/infrastructure/postgres-copy'
import { dataOf, signIn } from '@causeway/dev-env/platform/raw-client'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { createGivenPlaces } from './given-places.ts'
import { archiveLog, restoreDatabases, setUpArchive } from './moment.ts'
import { ordersOf } from './losses.ts'
import { startOrderLoad } from './order-load.ts'
import { streamCopies } from './stream-copies.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'
import { cardOrderBody, findIntegration } from '@causeway/scenario'

const ORDERS_BETWEEN = 10
const SETTINGS = {
  REFUND_RECONCILIATION_INTERVAL: '1s',
  // A receiver that is unavailable for the whole test has not used up its schedule.
  PARTNER_RETRY_SCHEDULE: '1s,2s,10s,60s,60s,60s',
}

const dataDir = mkdtempSync(join(tmpdir(), 'causeway-restored-'))
const backups = mkdtempSync(join(tmpdir(), 'causeway-backups-'))
const [archive, base, streams] = ['wal', 'base', 'streams'].map((name) => join(backups, name)) as [
  string,
  string,
  string,
]
const data = join(dataDir, 'postgres')
const secrets = () => loadSecrets(join(dataDir, 'secrets.json'))

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>
let isReceiving = true
let load: ReturnType<typeof startOrderLoad> | undefined
/** Orders of which the receiver has accepted an event. */
const received = new Set<unknown>()

beforeAll(async () => {
  // The server's own user reaches both.
  for (const folder of [dataDir, backups]) chmodSync(folder, 0o711)
  receiver = await startReceiver({
    status: () => (isReceiving ? 200 : 503),
    onDelivery: ({ event }) => {
      if (isReceiving) received.add(event.data['order_id'])
    },
  })
  platform = await startTestPlatform(SETTINGS, { dataDir })
})
afterAll(async () => {
  // Of a test that failed.
  await load?.stop()
  await platform.stop()
  await receiver.stop()
  for (const folder of [dataDir, backups]) rmSync(folder, { recursive: true, force: true })
})

const adminUrl = () =>
  `postgres://postgres:${secrets().postgresAdminPassword}@127.0.0.1:${platform.postgres?.port}/postgres`
const copies = streamCopies(dataDir, streams)

test('restores databases and streams to one moment, and completes what was in flight then', async () => {
  setUpArchive(data, archive)
  await platform.postgres?.restart()
  await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
  const partner = await newPartner(platform, {
    default_capabilities: ['payments.crypto', 'payments.fiat_card', 'refunds'],
  })
  await registerReceiver(platform, partner.partnerId, receiver)
  const customer = await newCustomer(platform, partner.causeway)
  const places = createGivenPlaces({
    customer: customer.path,
    integrationId: await findIntegration(partner.causeway, customer.customerId),
  })
  const paidOrder = async (key: string) => {
    const answer = await partner.api.post(
      `${customer.path}/fiat-orders`,
      { ...(await cardOrderBody(partner.causeway, customer.customerId)), service_fee_payer: 'customer' },
      { 'idempotency-key': key },
    )
    const { order_key: orderKey } = dataOf<{ order: { order_key: string } }>(answer).order
    places.add([orderKey])
    await platform.sandbox.post(`/control/card-payments/${orderKey}`, { outcome: 'completed' })
    await eventually(async () => (await partner.causeway.getFiatOrder({ orderKey })).order.status === 'paid')
    return orderKey
  }
  const refund = async (orderKey: string) =>
    (
      await partner.api.post(
        `/api/v1/partner/fiat-orders/${orderKey}/refunds`,
        { amount_cents: 4_000 },
        { 'idempotency-key': `refund-${orderKey}` },
      )
    ).status
  const [refundedBefore, refundedAfter] = [await paidOrder('before'), await paidOrder('after')]
  expect(await refund(refundedBefore)).toBe(201)

  const running = startOrderLoad(partner.api, customer.path, 2)
  load = running
  const more = async () => {
    const reached = running.acknowledged.length + ORDERS_BETWEEN
    await eventually(() => running.acknowledged.length >= reached)
  }
  await more()
  await copies.backup(platform.nats?.port)
  await copyPostgres({ adminUrl: adminUrl(), from: data, to: base })
  await more()
  isReceiving = false
  await more()
  const [until, untilMs] = [new Date(), performance.now()]
  await more()
  expect(await refund(refundedAfter)).toBe(201)
  await places.create(partner.api, 'lost', ORDERS_BETWEEN)
  await running.stop()
  places.add(running.orders.map(({ address }) => address))
  await archiveLog(adminUrl())
  const payments = [...platform.replicas.values()].find(({ name }) => name === 'payments')
  await eventually(async () => {
    const exported = await (await fetch(`http://127.0.0.1:${payments?.port}/metrics`)).text()
    return /^causeway_database_archive_age_seconds(\{.*\})? (?!0$)/m.test(exported)
  })
  await platform.stop()

  const startedMs = performance.now()
  const restore = async () => {
    for (const name of ['postgres', 'nats']) rmSync(join(dataDir, name), { recursive: true })
    const { postgresAdminPassword: password } = secrets()
    await restoreDatabases({ base, archive, data, password, until })
    const restored = await copies.restore(until)
    platform = await startTestPlatform(SETTINGS, { dataDir })
    await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
    return restored
  }
  isReceiving = true
  const said = await restore()
  const restoredAfterS = (performance.now() - startedMs) / 1_000
  process.stdout.write(`Restored after ${restoredAfterS.toFixed(1)} s: ${said}`)

  const { clientId, clientSecret } = partner
  const api = await signIn({ baseUrl: platform.baseUrl, clientId, clientSecret })
  const orders = new Set((await ordersOf(api, customer.path)).map(({ id }) => id))
  const idsOf = (those: typeof running.orders) => those.map(({ id }) => id)
  const before = idsOf(running.orders.filter(({ answeredAtMs }) => answeredAtMs < untilMs))
  const after = idsOf(running.orders.filter(({ firstSentAtMs }) => firstSentAtMs > untilMs))
  expect(before.length).toBeGreaterThanOrEqual(3 * ORDERS_BETWEEN)
  expect(after.length).toBeGreaterThan(0)
  expect(before.filter((id) => !orders.has(id))).toEqual([])
  expect(after.filter((id) => orders.has(id))).toEqual([])
  // Of events that the receiver had refused, that the snapshot of the stream lacks, and that were in flight.
  await eventually(() => [...orders].every((id) => received.has(id)))

  // The processor has made a refund that the platform has forgotten: it is recorded again.
  const refundsOf = async (orderKey: string) => {
    const answer = await api.get(`/api/v1/partner/fiat-orders/${orderKey}/refunds`)
    return dataOf<{ refunds: { amount_cents: number; status: string }[] }>(answer).refunds.map(
      ({ amount_cents: amount, status }) => [amount, status],
    )
  }
  await eventually(async () => (await refundsOf(refundedAfter)).length === 1)
  for (const orderKey of [refundedBefore, refundedAfter])
    expect(await refundsOf(orderKey)).toEqual([[4_000, 'succeeded']])
  await eventually(async () => {
    const report = dataOf<{ differences: unknown[] }>(
      await platform.staff.get('/api/operator/reconciliation?limit=100'),
    )
    return report.differences.length === 0
  })

  // More new orders than were lost, twice: also after a second restore from the same backup.
  await places.create(api, 'restored', 3 * ORDERS_BETWEEN)
  await platform.stop()
  await restore()
  const second = await signIn({ baseUrl: platform.baseUrl, clientId, clientSecret })
  await places.create(second, 'restored-again', 3 * ORDERS_BETWEEN)
  expect(places.givenAgain).toEqual([])
})
