import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import type { Purchase } from '../src/orders/purchase.ts'
import { startCrashHarness, type CrashHarness } from './crash-harness.ts'

let harness: CrashHarness
beforeEach(async () => {
  harness = await startCrashHarness()
})
afterEach(() => harness.stop())

const EXTENDED = ['ramping.kyc_pending']
const ENDED = ['ramping.status_changed']
const within = { withinMs: 120_000 }

/** After the next process has done its work: every effect and every event is there once. */
const isOnceOfAll = async (extended: readonly Purchase[], ended: readonly Purchase[]) => {
  for (const purchase of extended)
    await eventually(async () => (await harness.committed(purchase)).length > 0, within)
  for (const { orderId } of ended)
    await eventually(() => harness.cryptoOrder(orderId)?.status === 'cancelled', within)
  for (const purchase of [...extended, ...ended]) await eventually(() => isSettled(purchase), within)
  await harness.allPublished()
  for (const purchase of extended) expect(await harness.committed(purchase)).toEqual(EXTENDED)
  for (const purchase of ended) expect(await harness.committed(purchase)).toEqual(ENDED)
  for (const { orderId, capAt } of extended)
    expect(harness.cryptoOrder(orderId)).toMatchObject({ status: 'pending', expires_at: capAt.toISOString() })
  expect([...harness.effects].sort()).toEqual(
    [
      ...extended.map(({ orderId }) => `extend ${orderId}`),
      ...ended.map(({ orderId }) => `cancelOrder ${orderId}`),
    ].sort(),
  )
  expect(await harness.inStream()).toBe(extended.length + ended.length)
}
/** Nothing is left to do: an extended purchase waits for its cap, an ended one for nothing. */
const isSettled = async ({ id, extendedAt, capAt }: Purchase) => {
  const text = 'SELECT due_at, todo AS "pendingAction" FROM onramp_orders WHERE id = $1'
  const { rows } = await harness.locker.query<{ due_at: Date | null; pendingAction: string | null }>(text, [
    id,
  ])
  const dueAt = rows[0]?.due_at?.getTime() ?? null
  return rows[0]?.pendingAction === null && dueAt === (extendedAt === null ? capAt.getTime() : null)
}

it('survives kill -9 during a call to payments or the provider, before and after its effect', async () => {
  const { breakpoints } = harness
  const extend = { asked: await harness.purchase('extend'), done: await harness.purchase('extend') }
  const end = {
    read: await harness.purchase('end'),
    asked: await harness.purchase('end'),
    done: await harness.purchase('end'),
  }
  const steps = [
    ['extend asked', extend.asked.orderId],
    ['extend done', extend.done.orderId],
    ['read', end.read.id],
    ['cancelOrder asked', end.asked.orderId],
    ['cancelOrder done', end.done.orderId],
  ] as const
  for (const [step, subject] of steps) breakpoints.set(step, subject)
  const kill = await harness.startChild()
  for (const [step, subject] of steps) await breakpoints.reached(step, subject)
  await kill()
  expect(await harness.committed(extend.done)).toEqual([])
  expect(await harness.committed(end.read)).toEqual([])
  expect(await harness.committed(end.asked)).toEqual(ENDED)
  breakpoints.loseAll()
  await harness.startAgain()
  await isOnceOfAll(Object.values(extend), Object.values(end))
})

it('survives kill -9 between an answer and its record', async () => {
  const { breakpoints, locker } = harness
  const extended = await harness.purchase('extend')
  const read = await harness.purchase('end')
  const cancelled = await harness.purchase('end')
  const steps = [
    ['extend done', extended.orderId],
    ['read', read.id],
    ['cancelOrder done', cancelled.orderId],
  ] as const
  for (const [step, subject] of steps) breakpoints.set(step, subject)
  const kill = await harness.startChild()
  for (const [step, subject] of steps) await breakpoints.reached(step, subject)
  await locker.query('BEGIN')
  await locker.query('SELECT FROM onramp_orders FOR UPDATE')
  breakpoints.releaseAll()
  await eventually(async () => (await harness.blocked()) > 0, within)
  await kill()
  await locker.query('ROLLBACK')
  expect(await harness.committed(extended)).toEqual([])
  await harness.startAgain()
  await isOnceOfAll([extended], [read, cancelled])
})

it('survives kill -9 between a record and its event, which commit together or not at all', async () => {
  const { locker } = harness
  const extended = await harness.purchase('extend')
  const ended = await harness.purchase('end')
  await locker.query('BEGIN')
  await locker.query('LOCK TABLE outbox_events IN SHARE MODE')
  const kill = await harness.startChild()
  await eventually(async () => (await harness.blocked()) >= 2, within)
  await kill()
  await locker.query('ROLLBACK')
  expect(await harness.committed(extended)).toEqual([])
  expect(await harness.committed(ended)).toEqual([])
  await harness.startAgain()
  await isOnceOfAll([extended], [ended])
})

it('survives kill -9 between the commit of an event and its publication', async () => {
  const { locker } = harness
  const extended = await harness.purchase('extend')
  const ended = await harness.purchase('end')
  await locker.query('BEGIN')
  await locker.query('SELECT FROM outbox_relay FOR UPDATE')
  const kill = await harness.startChild()
  for (const purchase of [extended, ended])
    await eventually(async () => (await harness.committed(purchase)).length === 1, within)
  await kill()
  await locker.query('ROLLBACK')
  await harness.startAgain()
  await isOnceOfAll([extended], [ended])
})

it('loses and repeats nothing when one of two processes that share the work is killed', async () => {
  const { breakpoints } = harness
  const extended = await Promise.all(Array.from({ length: 15 }, () => harness.purchase('extend')))
  const ended = await Promise.all(Array.from({ length: 15 }, () => harness.purchase('end')))
  for (const { orderId } of extended.slice(0, 5)) breakpoints.set('extend done', orderId)
  for (const { orderId } of ended.slice(0, 5)) breakpoints.set('cancelOrder asked', orderId)
  const kill = await harness.startChild()
  await Promise.all(extended.slice(0, 5).map(({ orderId }) => breakpoints.reached('extend done', orderId)))
  await harness.startAgain()
  await kill()
  breakpoints.loseAll()
  await isOnceOfAll(extended, ended)
})

it('survives kill -9 between giving up a purchase and releasing its crypto order', async () => {
  const { breakpoints, locker } = harness
  const order = harness.newCryptoOrder()
  breakpoints.set('release asked', order.order_id)
  const kill = await harness.startChild()
  void harness.create(order)
  await breakpoints.reached('release asked', order.order_id)
  await kill()
  breakpoints.loseAll()
  expect(harness.holderOf(order.order_id)).toMatch(/^onr_/)
  await harness.startAgain()
  await eventually(() => harness.holderOf(order.order_id) === null, within)
  await eventually(async () => {
    const { rowCount } = await locker.query('SELECT FROM onramp_orders WHERE order_id = $1', [order.order_id])
    return rowCount === 0
  }, within)
})
