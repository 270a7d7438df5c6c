import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { FiatOrder } from '@causeway/contracts'
import { z } from 'zod'
import { claimForReview } from '../../src/card-settlement/store.ts'
import { createCardCalls, type CardCalls } from '../card-calls.ts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const Stored = z.object({ poll_at: z.coerce.date().nullable() })

let payments: RunningPayments
let fiat: FiatCalls
let cards: CardCalls
beforeAll(async () => {
  payments = await startForTests()
  await payments.addReplica()
  fiat = createFiatCalls(payments)
  cards = createCardCalls(payments)
})
afterAll(() => payments.stop())

const paidOrder = async () => {
  const { partner, customerId, integrationId } = await fiat.newShop()
  const order = await fiat.newOrder(partner, customerId, integrationId)
  await cards.pay(order)
  return { partner, order, payment: payments.cards.ofOrder(order.order_key) }
}
const read = async (partner: Partner, order: FiatOrder) => {
  const answer = await fiat.get(partner, order.order_key)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.order
}
const namesOf = async (order: FiatOrder) =>
  (await payments.eventsOf(order.order_id)).map(({ name }) => name).slice(2)
/** Advances the clock to the next review of every paid order, and waits for it. */
const review = async (ms: number) => {
  const before = payments.cards.reads()
  payments.clock.advance(ms)
  await eventually(() => payments.cards.reads() > before)
}

describe('a paid order whose notices were lost', () => {
  it('is found refunded and disputed by a review, each emitted once', async () => {
    const { partner, order, payment } = await paidOrder()
    payment.refunds.push({ refund_id: newId('request'), amount_cents: 700, status: 'succeeded' })
    payments.clock.advance(HOUR_MS - 1)
    expect(await read(partner, order)).toMatchObject({ refunded_cents: 0 })
    await review(1)
    await eventually(async () => (await read(partner, order)).refunded_cents === 700)
    payment.disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
    await review(HOUR_MS)
    await eventually(async () => (await read(partner, order)).status === 'chargeback')
    await review(24 * HOUR_MS)
    await Promise.all([cards.sendNotice(order), cards.sendNotice(order)])
    expect(await namesOf(order)).toEqual(['payment.refunded', 'payment.chargeback'])
  })

  it('is read less and less often, at least weekly, and for the last time at its maximum age', async () => {
    const { order } = await paidOrder()
    const stored = async () => Stored.parse(JSON.parse((await fiat.storedRow(order.order_id)) ?? ''))
    const paidMs = payments.clock.nowMs()
    const { cardReviewAfterMs: after, cardReviewForMs: until } = payments.config
    const agesHours: number[] = []
    for (let next = (await stored()).poll_at; next !== null; next = (await stored()).poll_at) {
      agesHours.push(Math.round(((next.getTime() - paidMs) / HOUR_MS) * 100) / 100)
      const now = new Date(Math.ceil(next.getTime()) + 1)
      await claimForReview(payments.db, {
        now,
        minPauseMs: after,
        maxPauseMs: 7 * 24 * HOUR_MS,
        lastAfterMs: until,
        limit: 100,
      })
    }
    expect(agesHours.slice(0, 5)).toEqual([1, 2, 3, 4.5, 6.75])
    const pauses = agesHours.slice(1).map((age, index) => age - (agesHours[index] ?? 0))
    expect(pauses.every((pause, index) => pause > (pauses[index - 1] ?? 0) - 0.02)).toBe(true)
    expect(pauses.at(-1)).toBeCloseTo(168)
    expect(agesHours.at(-2)).toBeLessThan(4_320)
    expect(agesHours.at(-1)).toBeGreaterThanOrEqual(4_320)
    expect(agesHours.length).toBeLessThan(50)
  })
})
