import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { startHeldProcessor } from './held-processor.ts'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const body = { amount_cents: 2_500 }

let front: Awaited<ReturnType<typeof startHeldProcessor>>
let refunds: RunningRefunds
beforeAll(async () => {
  front = await startHeldProcessor()
  const cards = { connections: 16, sandbox: { baseUrl: front.url, secret: 'of nobody' }, stripe: null }
  refunds = await startForTests({ cards })
  front.forwardTo(refunds.cardUrl)
})
afterAll(async () => {
  await refunds.stop()
  await front.stop()
})

it('a refund that the reconciler asks for again while its call still reads is not said to have failed', async () => {
  const { partner, orderKey, processorOrderId } = await refunds.newOrder()
  await refunds.fault('error', 1)
  const reading = front.hold('list')
  const answer = refunds.refund(partner, orderKey, body, 'raced')
  await reading.reached
  // The processor has answered 500. The call reads whether it made the refund; the reconciler takes it meanwhile.
  const askingAgain = front.hold('refund')
  await askingAgain.reached
  reading.release()
  expect(await answer).toEqual({ ok: false, code: 'internal_error' })
  askingAgain.release()
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
  expect(await refunds.refund(partner, orderKey, body, 'raced')).toMatchObject({
    ok: true,
    value: { refund: { amount_cents: 2_500 }, refunded_cents: 2_500 },
  })
  expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
  expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
})
