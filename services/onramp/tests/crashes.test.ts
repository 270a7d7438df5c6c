import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import type { Purchase } from '../src/orders/purchase.ts'
import { startCrashStage, type CrashStage } from './crash-stage.ts'

let stage: CrashStage
beforeEach(async () => {
  stage = await startCrashStage()
})
afterEach(() => stage.stop(), 60_000)

const EXTENDED = ['ramping.kyc_pending']
const ENDED = ['ramping.status_changed']
const within = { withinMs: 120_000 }

/** After the next process has done its work: every effect and every event is there once. */
const isOnceOfAll = async (extended: readonly Purchase[], ended: readonly Purchase[]) => {
  for (const purchase of extended)
    await eventually(async () => (await stage.committed(purchase)).length > 0, within)
  for (const { orderId } of ended)
    await eventually(() => stage.invoice(orderId)?.status === 'cancelled', within)
  for (const purchase of [...extended, ...ended]) await eventually(() => isSettled(purchase), within)
  await stage.allTold()
  for (const purchase of extended) expect(await stage.committed(purchase)).toEqual(EXTENDED)
  for (const purchase of ended) expect(await stage.committed(purchase)).toEqual(ENDED)
  for (const { orderId, capAt } of extended)
    expect(stage.invoice(orderId)).toMatchObject({ status: 'pending', expires_at: capAt.toISOString() })
  expect([...stage.effects].sort()).toEqual(
    [
      ...extended.map(({ orderId }) => `extend ${orderId}`),
      ...ended.map(({ orderId }) => `cancel ${orderId}`),
    ].sort(),
  )
  expect(await stage.inStream()).toBe(extended.length + ended.length)
}
/** Nothing is left to do: an extended purchase waits for its cap, an ended one for nothing. */
const isSettled = async ({ id, extendedAt, capAt }: Purchase) => {
  const text = 'SELECT due_at, todo AS "pendingAction" FROM onramp_orders WHERE id = $1'
  const { rows } = await stage.locker.query<{ due_at: Date | null; pendingAction: string | null }>(text, [id])
  const dueAt = rows[0]?.due_at?.getTime() ?? null
  return rows[0]?.pendingAction === null && dueAt === (extendedAt === null ? capAt.getTime() : null)
}

it('kill -9 while payments or the provider is being asked, before and after the effect there', async () => {
  const { holds } = stage
  const extend = { asked: await stage.purchase('extend'), done: await stage.purchase('extend') }
  const end = {
    read: await stage.purchase('end'),
    asked: await stage.purchase('end'),
    done: await stage.purchase('end'),
  }
  const steps = [
    ['extend asked', extend.asked.orderId],
    ['extend done', extend.done.orderId],
    ['read', end.read.id],
    ['cancel asked', end.asked.orderId],
    ['cancel done', end.done.orderId],
  ] as const
  for (const [step, subject] of steps) holds.set(step, subject)
  const kill = await stage.startChild()
  for (const [step, subject] of steps) await holds.reached(step, subject)
  await kill()
  expect(await stage.committed(extend.done)).toEqual([])
  expect(await stage.committed(end.read)).toEqual([])
  expect(await stage.committed(end.asked)).toEqual(ENDED)
  holds.loseAll()
  await stage.startAgain()
  await isOnceOfAll(Object.values(extend), Object.values(end))
})

it('kill -9 between an answer and its record', async () => {
  const { holds, locker } = stage
  const extended = await stage.purchase('extend')
  const read = await stage.purchase('end')
  const cancelled = await stage.purchase('end')
  const steps = [
    ['extend done', extended.orderId],
    ['read', read.id],
    ['cancel done', cancelled.orderId],
  ] as const
  for (const [step, subject] of steps) holds.set(step, subject)
  const kill = await stage.startChild()
  for (const [step, subject] of steps) await holds.reached(step, subject)
  await locker.query('BEGIN')
  await locker.query('SELECT FROM onramp_orders FOR UPDATE')
  holds.letAllGo()
  await eventually(async () => (await stage.blocked()) > 0, within)
  await kill()
  await locker.query('ROLLBACK')
  expect(await stage.committed(extended)).toEqual([])
  await stage.startAgain()
  await isOnceOfAll([extended], [read, cancelled])
})

it('kill -9 between a record and its event, which commit together or not at all', async () => {
  const { locker } = stage
  const extended = await stage.purchase('extend')
  const ended = await stage.purchase('end')
  await locker.query('BEGIN')
  await locker.query('LOCK TABLE outbox IN SHARE MODE')
  const kill = await stage.startChild()
  await eventually(async () => (await stage.blocked()) >= 2, within)
  await kill()
  await locker.query('ROLLBACK')
  expect(await stage.committed(extended)).toEqual([])
  expect(await stage.committed(ended)).toEqual([])
  await stage.startAgain()
  await isOnceOfAll([extended], [ended])
})

it('kill -9 between the commit of an event and its way to the stream', async () => {
  const { locker } = stage
  const extended = await stage.purchase('extend')
  const ended = await stage.purchase('end')
  await locker.query('BEGIN')
  await locker.query('SELECT FROM outbox_relay FOR UPDATE')
  const kill = await stage.startChild()
  for (const purchase of [extended, ended])
    await eventually(async () => (await stage.committed(purchase)).length === 1, within)
  await kill()
  await locker.query('ROLLBACK')
  await stage.startAgain()
  await isOnceOfAll([extended], [ended])
})

it('kill -9 of one of two processes that share the work leaves nothing undone and nothing twice', async () => {
  const { holds } = stage
  const extended = await Promise.all(Array.from({ length: 15 }, () => stage.purchase('extend')))
  const ended = await Promise.all(Array.from({ length: 15 }, () => stage.purchase('end')))
  for (const { orderId } of extended.slice(0, 5)) holds.set('extend done', orderId)
  for (const { orderId } of ended.slice(0, 5)) holds.set('cancel asked', orderId)
  const kill = await stage.startChild()
  await Promise.all(extended.slice(0, 5).map(({ orderId }) => holds.reached('extend done', orderId)))
  await stage.startAgain()
  await kill()
  holds.loseAll()
  await isOnceOfAll(extended, ended)
})
