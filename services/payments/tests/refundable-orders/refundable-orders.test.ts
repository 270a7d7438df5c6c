import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { refundableOrders, type RefundableOrder } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const notFound = { ok: false, code: 'resource_not_found' }
const envelope = () => ({
  caller: { kind: 'service' as const, service: 'refunds' },
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: true,
})
const read = (partnerId: string, orderKey: string) =>
  call(payments.bus, payments.clock, refundableOrders.get, {
    ...envelope(),
    body: { partner_id: partnerId, order_key: orderKey },
  })

const newOrder = async () => {
  const { partner, customerId, integrationId } = await fiat.newShop()
  const made = await fiat.newOrder(partner, customerId, integrationId)
  const answer = await read(partner.partnerId, made.order_key)
  if (!answer.ok) throw new Error(`Not readable: ${answer.code}`)
  return { partner, customerId, made, order: answer.value }
}
const record = (partnerId: string, order: RefundableOrder, refundId: string, cents: number) =>
  call(payments.bus, payments.clock, refundableOrders.recordRefund, {
    ...envelope(),
    body: {
      partner_id: partnerId,
      order_key: order.order_key,
      refund_id: newId('refund'),
      processor: order.processor,
      processor_order_id: order.processor_order_id,
      processor_refund_id: refundId,
      amount_cents: cents,
      currency: order.currency,
    },
  })

describe('a refundable order', () => {
  it('is read with its processor and the state of the capability refunds', async () => {
    const { made, order, customerId } = await newOrder()
    expect(order).toEqual({
      order_id: made.order_id,
      order_key: made.order_key,
      partner_customer_id: customerId,
      kind: 'order',
      status: 'pending',
      currency: 'EUR',
      total_cents: 10_000,
      amount_cents: 9_750,
      service_fee_payer: 'merchant',
      processor: 'processor',
      processor_order_id: payments.cards.ofOrder(made.order_key).payment_id,
      capability: { enabled: true, available: true, reason: null },
    })
  })

  it('is refused by the present state at onboarding, never by a projection that lags', async () => {
    const { partner, customerId, made } = await newOrder()
    const set = (available: boolean) => {
      const { capabilities } = payments.onboarding.change(customerId, {})
      return payments.onboarding.change(customerId, {
        capabilities: capabilities.map((entry) =>
          entry.capability === 'refunds'
            ? { ...entry, available, reason: available ? null : ('agreement_required' as const) }
            : entry,
        ),
      })
    }
    const capability = async () => {
      const answer = await read(partner.partnerId, made.order_key)
      return answer.ok && answer.value.capability
    }
    await payments.onboarding.publish(set(false))
    await payments.eventually(async () =>
      expect(await capability()).toEqual({ enabled: true, available: false, reason: 'agreement_required' }),
    )
    set(true)
    expect(await capability()).toEqual({ enabled: true, available: true, reason: null })
  })

  it('does not exist for another partner, for an unknown key, and once the relationship is revoked', async () => {
    const { partner, customerId, made, order } = await newOrder()
    expect(await read(newPartner().partnerId, made.order_key)).toEqual(notFound)
    expect(await read(partner.partnerId, '999999')).toEqual(notFound)
    expect(await record(newPartner().partnerId, order, 'sbr_foreign', 1)).toEqual(notFound)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () =>
      expect(await read(partner.partnerId, made.order_key)).toEqual(notFound),
    )
    expect(await record(partner.partnerId, order, 'sbr_after', 1)).toEqual({
      ok: true,
      value: { partner_sees: false },
    })
  })

  it('counts each refund once, is refunded at its ceiling, and emits each once', async () => {
    const { partner, made, order } = await newOrder()
    const sum = async () => {
      const answer = await fiat.get(partner, made.order_key)
      return answer.ok && [answer.value.order.refunded_cents, answer.value.order.status]
    }
    for (let n = 0; n < 2; n += 1) {
      const answer = await record(partner.partnerId, order, `sbr_1_${made.order_key}`, 4_000)
      expect(answer).toEqual({ ok: true, value: { partner_sees: true } })
      expect(await sum()).toEqual([4_000, 'paid'])
    }
    await record(partner.partnerId, order, `sbr_2_${made.order_key}`, 5_750)
    expect(await sum()).toEqual([9_750, 'refunded'])
    const events = (await payments.eventsOf(made.order_id)).filter(({ name }) => name === 'payment.refunded')
    expect(events.map(({ partners }) => partners[0]?.data['status'])).toEqual(['paid', 'refunded'])
    expect(events.map(({ merchant }) => merchant?.event)).toEqual(['refunded', 'refunded'])
  })
})
