import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId, queryOne, withDataKey } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { refundableOrders, type RefundableOrder } from '@causeway/contracts'
import { z } from 'zod'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const readPayer = queryOne({
  name: 'test.read-payer',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${withDataKey('payer_sealed', "split_part(payer_sealed, '.', 2)")} AS payer
    FROM fiat_orders WHERE id = :orderId`,
  row: z.object({ payer: z.string().nullable() }),
})
const notFound = { ok: false, code: 'resource_not_found' }
const envelope = () => ({
  caller: { kind: 'service' as const, service: 'refunds' },
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: true,
})
const read = (partnerId: string, orderKey: string, by_staff?: boolean) =>
  call(payments.bus, payments.clock, refundableOrders.get, {
    ...envelope(),
    body: { partner_id: partnerId, order_key: orderKey, by_staff },
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
    expect(await read(partner.partnerId, made.order_key, true)).toMatchObject({
      ok: true,
      value: { capability: { enabled: true, available: true } },
    })
    expect(await read(newPartner().partnerId, made.order_key, true)).toEqual(notFound)
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

  it('counts concurrently recorded refunds once each and loses none', async () => {
    const { partner, made, order } = await newOrder()
    await record(partner.partnerId, order, `sbr_first_${made.order_key}`, 50)
    const recorded = Array.from({ length: 16 }, (_, n) =>
      record(partner.partnerId, order, `sbr_${n % 8}_${made.order_key}`, 100),
    )
    for (const answer of await Promise.all(recorded))
      expect(answer).toEqual({ ok: true, value: { partner_sees: true } })
    const answer = await fiat.get(partner, made.order_key)
    expect(answer.ok && answer.value.order).toMatchObject({ refunded_cents: 850, status: 'paid' })
    const events = (await payments.eventsOf(made.order_id)).filter(({ name }) => name === 'payment.refunded')
    const counted = events.map(({ fact }) => fact?.kind === 'refund' && fact.refund.processor_refund_id)
    expect(counted.sort()).toEqual(
      [...Array(8).keys(), 'first'].map((id) => `sbr_${id}_${made.order_key}`).sort(),
    )
  })

  it('keeps its payer with a refund, from then on under the key of the month', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const made = await fiat.newOrder(partner, customerId, integrationId, { payer_email: 'payer@example.com' })
    const answer = await read(partner.partnerId, made.order_key)
    if (!answer.ok) throw new Error(`Not readable: ${answer.code}`)
    const payerOf = async () => (await readPayer(payments.db, { orderId: made.order_id }))?.payer ?? ''
    const monthOf = (payer: string) => payer.split('.')[1]
    const refund = (id: string) => record(partner.partnerId, answer.value, `${id}_${made.order_key}`, 1)
    const recorded = { ok: true, value: { partner_sees: true } }
    expect(await refund('sbr_paid')).toEqual(recorded)
    const first = await payerOf()
    expect(await refund('sbr_same_month')).toEqual(recorded)
    expect(await payerOf()).toBe(first)
    payments.clock.advance(40 * 86_400_000)
    expect(await refund('sbr_later_month')).toEqual(recorded)
    const later = await payerOf()
    expect(monthOf(later)).toBe(`payers-${payments.clock.now().toISOString().slice(0, 7)}`)
    expect(monthOf(later)).not.toBe(monthOf(first))
    for (const payer of [first, later])
      expect(payments.vault.open(payer, `fiat-order:${made.order_id}`).toString()).toContain(
        'payer@example.com',
      )
  })
})
