import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cardNotices } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from './fiat-calls.ts'
import { startForTests, type RunningPayments } from './running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

describe('an address with many disputes', () => {
  it('is alerted once a window to each merchant that has disputed orders of it', async () => {
    const ip = '192.0.2.44'
    const dispute = async () => {
      const shop = await fiat.newShop()
      const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
      const payment = payments.cards.ofOrder(order.order_key)
      payment.status = 'completed'
      payment.payer = { ip, email: null }
      payment.disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
      const told = { notice_id: newId('request'), processor: 'processor', event: 'changed', kind: 'dispute' }
      const body = payments.cards.sign({ ...told, payment_id: payment.payment_id })
      const input = { params: { processor: 'processor' }, body }
      expect(await payments.ask(cardNotices.receive, { kind: 'public' }, input)).toMatchObject({ ok: true })
      return shop
    }
    const alerts = async () =>
      (await payments.events()).filter((event) => event.name === 'risk.alert').map(({ merchant }) => merchant)
    const before = (await alerts()).length
    const first = await dispute()
    expect(await alerts()).toHaveLength(before)
    const second = await dispute()
    const third = await dispute()
    const raised = (await alerts()).slice(before)
    expect(raised.map((notice) => notice?.integration_id).sort()).toEqual(
      [first, second, third].map(({ integrationId }) => integrationId).sort(),
    )
    expect(raised[0]?.body).toMatchObject({
      event: 'risk_alert',
      risk: {
        kind: 'chargeback_ip_spike',
        ip,
        ipMasked: '192.0.***.***',
        windowDays: 30,
        thresholds: { merchantIpThreshold: 3, platformIpThreshold: 5, distinctMerchantsThreshold: 2 },
        stats: { merchantCount: 1, platformCount: 2, distinctMerchants: 2 },
        severity: 'high',
      },
    })
  })
})
