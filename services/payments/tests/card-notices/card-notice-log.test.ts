import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { newId, type Logger } from '@causeway/chassis'
import type { FiatOrder } from '@causeway/contracts'
import { openCardProcessors, type CardProcessors } from '@causeway/rails/cards'
import { cardNoticeOperations } from '../../src/card-notices/operations.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let processors: CardProcessors
let order: FiatOrder
beforeAll(async () => {
  payments = await startForTests()
  processors = await openCardProcessors({ ...payments.config.cards, timeoutMs: 60_000 })
  const fiat = createFiatCalls(payments)
  const { partner, customerId, integrationId } = await fiat.newShop()
  order = await fiat.newOrder(partner, customerId, integrationId)
})
afterAll(async () => {
  await Promise.all([...processors.values()].map((processor) => processor.close()))
  await payments.stop()
})

const applyPayment = jest.fn<() => Promise<never>>()
const warn = jest.fn<(fields: object, message: string) => void>()
beforeEach(() => {
  applyPayment.mockReset().mockResolvedValue({} as never)
  warn.mockClear()
})
/** Calls the operation with the test's own logger. */
const post = async (body: ReturnType<RunningPayments['cards']['sign']>) => {
  const { db, clock, vault } = payments
  const fixture = { db, clock, vault }
  const [receive] = cardNoticeOperations(fixture, { processors, settlement: { applyPayment } })
  const answer = await receive?.handle({
    caller: { kind: 'public' },
    params: { processor: 'processor' },
    query: undefined,
    body,
    requestId: newId('request'),
    idempotencyKey: undefined,
    now: clock.now(),
    deadlineMs: clock.outsideMs() + 10_000,
    log: { warn } as unknown as Logger,
  } as never)
  return answer?.ok === false ? answer.code : 'received'
}
const notice = () => ({
  notice_id: newId('request'),
  processor: 'processor',
  event: 'changed',
  kind: 'payment',
  payment_id: payments.cards.ofOrder(order.order_key).payment_id,
})

it.each([
  ['forged', 'bad_signature', () => payments.cards.sign(notice(), { secret: 'of somebody else' })],
  ['unsigned', 'bad_signature', () => ({ ...payments.cards.sign(notice()), headers: {} as never })],
  [
    'stale',
    'stale',
    () => payments.cards.sign(notice(), { at: new Date(payments.clock.outsideMs() - 301_000) }),
  ],
])('refuses a notice that is %s and logs nothing of its content', async (_what, reason, make) => {
  expect(await post(make())).toBe('unauthorized')
  expect(applyPayment).not.toHaveBeenCalled()
  expect(warn.mock.calls).toEqual([
    [{ event: 'callback.refused', processor: 'processor', reason }, 'Card notice refused'],
  ])
})

it('acknowledges and logs a replayed notice without processing it', async () => {
  const first = notice()
  expect(await post(payments.cards.sign(first))).toBe('received')
  expect(applyPayment).toHaveBeenCalledTimes(1)
  warn.mockClear()
  const reads = payments.cards.reads()
  expect(await post(payments.cards.sign(first))).toBe('received')
  expect(applyPayment).toHaveBeenCalledTimes(1)
  expect(payments.cards.reads()).toBe(reads)
  const logged = {
    event: 'callback.refused',
    processor: 'processor',
    noticeId: first.notice_id,
    reason: 'replayed',
  }
  expect(warn.mock.calls).toEqual([[logged, 'Card notice refused']])
})

it('processes a notice that could not be processed when it is repeated', async () => {
  const first = notice()
  payments.cards.answerReads(503)
  await expect(post(payments.cards.sign(first))).rejects.toThrow('cannot be read')
  payments.cards.answerReads(200)
  expect(await post(payments.cards.sign(first))).toBe('received')
  expect(applyPayment).toHaveBeenCalledTimes(1)
})

it('processes a notice of an order that was not known yet when it is repeated', async () => {
  const first = notice()
  applyPayment.mockResolvedValueOnce(null as never)
  expect(await post(payments.cards.sign(first))).toBe('received')
  expect(warn.mock.calls.map(([, message]) => message)).toEqual(['A card notice names an unknown order'])
  expect(await post(payments.cards.sign(first))).toBe('received')
  expect(applyPayment).toHaveBeenCalledTimes(2)
})
