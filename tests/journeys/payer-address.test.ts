import { eventually, startTraceCollector } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { newCustomer, newMerchant, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { cardOrderBody } from '@causeway/scenario'

const ADDRESS = '203.0.113.201'
const MASKED = '203.0.***.***'

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  collector = await startTraceCollector()
  platform = await startTestPlatform({
    LOG_LEVEL: 'trace',
    ...collector.settings,
    RISK_MERCHANT_IP_THRESHOLD: '1',
  })
  receiver = await startReceiver()
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
  collector.stop()
})

type Entry = Readonly<{ name: string; path: string; isFolder: boolean }>

/** All entries of the data folder that still exist when read. */
const entriesIn = (root: string): Entry[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { name: relative(root, path), path, isFolder: entry.isDirectory() }
  })

/** Null when the file was deleted in the meantime. */
const look = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

test('delivers a payer’s address to the merchant, and writes it in plain text to no file, log or trace of the platform', async () => {
  const partner = await newPartner(platform)
  const { customerId, merchantId } = await newCustomer(platform, partner.causeway)
  const { causeway: merchant } = await newMerchant(platform, merchantId)
  const webhook = await merchant.createWebhook({ body: { url: receiver.url } })
  receiver.trust(webhook.webhookSecret)
  const asked = { ...(await cardOrderBody(partner.causeway, customerId)), payer_ip: ADDRESS }
  const { order } = await partner.causeway.createFiatOrder({ customerId, body: asked })
  await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
  await platform.sandbox.post(`/control/chargebacks/${order.order_key}`, {})

  type Told = { event: string; risk: { ip: string; ipMasked: string } }
  const received = await eventually(() => {
    const events = receiver.deliveries.map(({ event }) => event as unknown as Told)
    const found = events.filter(({ event }) => ['chargeback', 'risk_alert'].includes(event))
    return found.length === 2 && found
  })
  expect(received.map(({ event, risk }) => [event, risk.ip, risk.ipMasked]).toSorted()).toEqual([
    ['chargeback', ADDRESS, MASKED],
    ['risk_alert', ADDRESS, MASKED],
  ])
  await eventually(() => collector.bodies.some((body) => body.includes('webhooks-fanout')))

  // The sandbox acts as the processor, which stores its payers.
  const files = entriesIn(platform.dataDir).filter(
    ({ name, isFolder }) => !isFolder && !name.startsWith('sandbox') && name !== 'logs/sandbox.log',
  )
  const holds = (value: string) =>
    files.filter((file) => look(() => readFileSync(file.path))?.includes(value)).map(({ name }) => name)
  // Proof that the search works: it finds an event's subject on the stream and a name in a database.
  expect(holds('events.payments.payment.chargeback').some((name) => name.startsWith('nats/'))).toBe(true)
  expect(holds(merchantId).some((name) => name.startsWith('postgres/'))).toBe(true)
  expect(holds(ADDRESS)).toEqual([])
  expect(collector.bodies.filter((body) => body.includes(ADDRESS))).toEqual([])
})

test('lets other users enter the data folder, and open nothing in it', () => {
  const modeOf = (path: string) => look(() => statSync(path).mode & 0o777)
  expect(modeOf(platform.dataDir)).toBe(0o711)
  const children = readdirSync(platform.dataDir).map((name) => [name, modeOf(join(platform.dataDir, name))])
  expect(Object.fromEntries(children)).toEqual({
    logs: 0o700,
    nats: 0o700,
    'platform.pid': 0o600,
    postgres: 0o700,
    sandbox: 0o700,
    'secrets.json': 0o600,
  })
  const logs = entriesIn(join(platform.dataDir, 'logs')).map(({ name, path }) => [name, modeOf(path)])
  expect(logs.filter(([, mode]) => mode !== 0o600)).toEqual([])
})
