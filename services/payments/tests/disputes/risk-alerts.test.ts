import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { keptInClear } from '@causeway/chassis/testing'
import { EVENT_STREAM, eventSubject, type EventName } from '@causeway/contracts'
import { createCardCalls, type CardCalls } from '../card-calls.ts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const DAY_MS = 24 * 3_600_000
const THRESHOLDS = { merchantIpThreshold: 2, platformIpThreshold: 9, distinctMerchantsThreshold: 3 }

let payments: RunningPayments
let fiat: FiatCalls
let cards: CardCalls
beforeAll(async () => {
  payments = await startForTests({ riskRules: { thresholds: THRESHOLDS, windowDays: 3 } })
  fiat = createFiatCalls(payments)
  cards = createCardCalls(payments)
})
afterAll(() => payments.stop())

type Shop = Awaited<ReturnType<FiatCalls['newShop']>>
/** Creates an order of the shop that is paid from an address, and disputed. */
const dispute = async (shop: Shop, ip: string) => {
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
  await cards.pay(order, { ip, email: null })
  await cards.dispute(order)
}
const alertsOf = async (ip: string) =>
  (await payments.events())
    .filter(({ name }) => name === 'risk.alert')
    .map(({ merchant }) => merchant)
    .filter((notice) => JSON.stringify(notice?.body).includes(`"${ip}"`))
const alerted = async (ip: string) => (await alertsOf(ip)).map((notice) => notice?.integration_id)

/** How many messages of this event are on the stream. */
const published = async (name: EventName): Promise<number> => {
  const { streams } = await payments.bus.jetstreamManager()
  const subject = eventSubject(name)
  return (await streams.info(EVENT_STREAM, { subjects_filter: subject })).state.subjects?.[subject] ?? 0
}

describe('an address with many disputes', () => {
  it('raises an alert for each merchant with its disputed orders, by the configured thresholds, never in plain text', async () => {
    const ip = '192.0.2.44'
    const shops = [await fiat.newShop(), await fiat.newShop(), await fiat.newShop()] as const
    for (const shop of shops.slice(0, 2)) await dispute(shop, ip)
    expect(await alerted(ip)).toEqual([])
    await dispute(shops[2], ip)
    expect((await alerted(ip)).toSorted()).toEqual(shops.map((shop) => shop.integrationId).toSorted())
    await payments.eventually(async () => expect(await published('risk.alert')).toBe(3))
    expect(await keptInClear(ip, payments.config.databaseUrl, payments.bus)).toEqual([])
    expect((await alertsOf(ip))[0]?.body).toMatchObject({
      event: 'risk_alert',
      risk: {
        kind: 'chargeback_ip_spike',
        ip,
        ipMasked: '192.0.***.***',
        windowDays: 3,
        thresholds: THRESHOLDS,
        stats: { merchantCount: 1, platformCount: 3, distinctMerchants: 3 },
        severity: 'high',
        message: '3 chargebacks from 192.0.***.*** in 3 days',
      },
    })
  })

  it('raises one alert a window, and another in the next', async () => {
    const ip = '192.0.2.45'
    const shop = await fiat.newShop()
    for (let disputes = 0; disputes < 3; disputes += 1) await dispute(shop, ip)
    expect(await alerted(ip)).toEqual([shop.integrationId])
    expect((await alertsOf(ip))[0]?.body).toMatchObject({ risk: { severity: 'medium' } })
    payments.clock.advance(3 * DAY_MS - 1)
    await dispute(shop, ip)
    expect(await alerted(ip)).toHaveLength(1)
    payments.clock.advance(1)
    await dispute(shop, ip)
    expect(await alerted(ip)).toEqual([shop.integrationId, shop.integrationId])
  })

  it('raises one alert, however many disputes are reported concurrently', async () => {
    const ip = '192.0.2.46'
    const shop = await fiat.newShop()
    await Promise.all(Array.from({ length: 6 }, () => dispute(shop, ip)))
    expect(await alerted(ip)).toEqual([shop.integrationId])
  })
})
