import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { DisputeThresholdStatus } from '@causeway/contracts'
import { z } from 'zod'
import { disputeThreshold } from '../../src/disputes/threshold.ts'
import { createCardCalls, type CardCalls } from '../card-calls.ts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const WINDOW_MS = 720 * 3_600_000
const HALF = disputeThreshold(0.5, 2, WINDOW_MS)

const getDue = queryOne({
  name: 'test.read-judgement-due',
  parameters: { merchantId: 'text', now: 'timestamptz' },
  text: 'SELECT judge_at <= :now AS is_due FROM dispute_standings WHERE merchant_id = :merchantId',
  row: z.object({ isDue: z.boolean().nullable() }),
})

let payments: RunningPayments
let fiat: FiatCalls
let cards: CardCalls
let shop: Awaited<ReturnType<FiatCalls['newShop']>>
beforeAll(async () => {
  payments = await startForTests({ disputeThreshold: HALF })
  await payments.addReplica()
  fiat = createFiatCalls(payments)
  cards = createCardCalls(payments)
})
afterAll(() => payments.stop())
beforeEach(async () => {
  shop = await fiat.newShop()
})

const newOrder = () => fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
const paidOrder = async () => {
  const order = await newOrder()
  await cards.pay(order)
  return order
}
/** The merchant's last fact for other services; the outbox is purged after a week. */
const lastEmitted = async (): Promise<DisputeThresholdStatus | undefined> =>
  (await payments.events())
    .flatMap(({ fact }) => (fact?.kind === 'dispute_standing' ? [fact.standing] : []))
    .findLast(({ customer_id }) => customer_id === payments.onboarding.merchantOf(shop.customerId))
/** Waits until the check that is due has run. */
const allChecked = () =>
  eventually(async () => {
    const merchantId = payments.onboarding.merchantOf(shop.customerId) ?? ''
    const row = await getDue(payments.db, { merchantId, now: payments.clock.now() })
    return row?.isDue === false
  })
/** Waits for the fact with this result and version. */
const becomes = (isOver: boolean, version: number) =>
  eventually(async () => {
    expect(await lastEmitted()).toMatchObject({ over_threshold: isOver, version })
    return true
  })

describe('a merchant with many disputes', () => {
  it('is reported once when its disputes exceed the threshold', async () => {
    const orders = [await paidOrder(), await paidOrder(), await paidOrder()]
    for (const order of orders.slice(0, 2)) await cards.dispute(order)
    await becomes(true, 1)
    for (const order of orders) await cards.sendNotice(order)
    if (orders[2]) await cards.dispute(orders[2])
    await becomes(true, 1)
  })

  it('is notified by how much it is above, and again, as the same change, when that has changed', async () => {
    const orders = [await paidOrder(), await paidOrder(), await paidOrder()]
    for (const order of orders.slice(0, 2)) await cards.dispute(order)
    const measured = (share: number) => ({ measure: { share, threshold: 0.5, window_hours: 720 } })
    await eventually(async () => {
      expect(await lastEmitted()).toMatchObject({ version: 1, ...measured(0.6667) })
      return true
    })
    if (orders[2]) await cards.dispute(orders[2])
    await eventually(async () => {
      expect(await lastEmitted()).toMatchObject({ version: 1, ...measured(1) })
      return true
    })
  })

  it('is back below when enough orders were paid for the share to fall to the threshold', async () => {
    const pending = [await newOrder(), await newOrder()]
    const disputed = [await paidOrder(), await paidOrder()]
    for (const order of disputed) await cards.dispute(order)
    await becomes(true, 1)
    for (const order of pending) await cards.pay(order)
    await becomes(false, 2)
  })

  it('is back below when its disputes have left the window, and above again with new ones', async () => {
    const orders = [await paidOrder(), await paidOrder(), await paidOrder(), await paidOrder()]
    for (const order of orders.slice(0, 3)) await cards.dispute(order)
    await becomes(true, 1)
    payments.clock.advance(WINDOW_MS - 1)
    await becomes(true, 1)
    payments.clock.advance(1)
    await becomes(false, 2)
    for (const order of [await paidOrder(), await paidOrder()]) await cards.dispute(order)
    await becomes(true, 3)
  })

  it('is reported above when the paid orders that kept its share low have left the window', async () => {
    for (const order of [await newOrder(), await newOrder(), await newOrder()]) await cards.pay(order)
    payments.clock.advance(1_000)
    for (const order of [await paidOrder(), await paidOrder()]) await cards.dispute(order)
    await allChecked()
    payments.clock.advance(WINDOW_MS - 1_001)
    expect(await lastEmitted()).toBeUndefined()
    payments.clock.advance(1)
    await becomes(true, 1)
  })
})

it('checks the threshold again when the next start has other settings', async () => {
  for (const order of [await paidOrder(), await paidOrder()]) await cards.dispute(order)
  await becomes(true, 1)
  await payments.stopReplicas()
  await payments.addReplica({ disputeThreshold: disputeThreshold(0.5, 3, WINDOW_MS) })
  await becomes(false, 2)
})
