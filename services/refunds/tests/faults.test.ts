import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { queryNone } from '@causeway/chassis'
import { eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests()
})
afterEach(async () => {
  refunds.payments.setDown(false)
  refunds.payments.setRecordDown(false)
  await refunds.fault('ok')
})
afterAll(() => refunds.stop())

const body = { amount_cents: 2_500 }
const internalError = { ok: false, code: 'internal_error' }
const providerError = { ok: false, code: 'provider_error' }
/** Under the request id of the first answer. */
const providerErrorAgain = { ...providerError, replayedRequestId: expect.stringMatching(/^req_/) }
const unavailable = { ok: false, code: 'temporarily_unavailable' }

/** Waits until the order's refunds are in these final states. */
const settled = (orderKey: string, states: object) =>
  eventually(async () => {
    expect(await refunds.statesOf(orderKey)).toEqual(states)
    return true
  })

describe('a processor', () => {
  it('is recorded as failed when it refuses: 502, the key repeats that answer, and another key refunds', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('refuse')
    expect(await refunds.refund(partner, orderKey, body, 'no')).toEqual(providerError)
    await refunds.fault('ok')
    expect(await refunds.refund(partner, orderKey, body, 'no')).toEqual(providerErrorAgain)
    const listed = await refunds.list(partner, orderKey)
    expect(listed.ok && listed.value.refunds.map(({ status }) => status)).toEqual(['failed'])
    expect(await refunds.atProcessor(processorOrderId)).toEqual([])
    expect(await refunds.eventsOf(orderKey)).toEqual([])
    expect(await refunds.refund(partner, orderKey, body, 'yes')).toMatchObject({ ok: true })
  })

  it.each(['all', 'read'])(
    'leaves nothing behind when it is unreachable (%s calls): 503, and the key works afterwards',
    async (calls) => {
      const { partner, orderKey } = await refunds.newOrder()
      await refunds.fault('unreachable', undefined, calls)
      expect(await refunds.refund(partner, orderKey, body, 'later')).toEqual(unavailable)
      expect(await refunds.keysOf(partner)).toBe(0)
      expect(await refunds.statesOf(orderKey)).toEqual({})
      await refunds.fault('ok')
      expect(await refunds.refund(partner, orderKey, body, 'later')).toMatchObject({ ok: true })
    },
  )

  it('is retried under the same id when it neither acts nor answers: one refund', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('reset', 1)
    expect(await refunds.refund(partner, orderKey, body, 'reset')).toEqual(internalError)
    await settled(orderKey, { reconciled: 1 })
    expect(await refunds.refund(partner, orderKey, body, 'reset')).toMatchObject({ ok: true })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  })

  it('leaves the refund pending when it fails after the request; no second refund is sent before the outcome', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('reset')
    expect(await refunds.refund(partner, orderKey, { amount_cents: 8_000 }, 'first')).toEqual(internalError)
    const listed = await refunds.list(partner, orderKey)
    expect(listed.ok && listed.value.refunds.map(({ status }) => status)).toEqual(['pending'])
    const second = refunds.refund(partner, orderKey, { amount_cents: 8_000 }, 'second')
    await refunds.fault('ok')
    expect(await second).toEqual({
      ok: false,
      code: 'amount_exceeds_remaining',
      details: [{ remaining_refundable_cents: 2_000 }],
    })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  })

  it('fails the refund for good at a 500 without effect: 502, and a new key makes the only refund', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('error', 1)
    expect(await refunds.refund(partner, orderKey, body, 'error')).toEqual(providerError)
    expect(await refunds.statesOf(orderKey)).toEqual({ failed: 1 })
    expect(await refunds.refund(partner, orderKey, body, 'error')).toEqual(providerErrorAgain)
    expect(await refunds.refund(partner, orderKey, body, 'fresh')).toMatchObject({ ok: true })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  })
})

/** Fails each change of the order's refund with a fault that proves that nothing was stored. */
const failChanges = async (orderKey: string) => {
  const run = (text: string) => queryNone({ name: `test.${text.slice(0, 20)}`, text })(refunds.db)
  await run(`CREATE FUNCTION fail_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$`)
  await run(`CREATE TRIGGER fail_change BEFORE UPDATE ON refunds FOR EACH ROW
    WHEN (OLD.order_key = ${orderKey} AND OLD.state = 'sent') EXECUTE FUNCTION fail_change()`)
  return () => run('DROP FUNCTION fail_change() CASCADE')
}

describe('the database', () => {
  it("continues to the same refund by its key after it failed behind the processor's refund (500)", async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    const mend = await failChanges(orderKey)
    expect(await refunds.refund(partner, orderKey, body, 'unstored')).toEqual(internalError)
    expect(await refunds.statesOf(orderKey)).toEqual({ sent: 1 })
    await mend()
    // Past the lease of the call, which has died without an outcome.
    refunds.clock.advance(60_000 * TEST_TIMEOUT_FACTOR)
    await settled(orderKey, { reconciled: 1 })
    expect(await refunds.refund(partner, orderKey, body, 'unstored')).toMatchObject({ ok: true })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  })
})

describe('payments', () => {
  it('is down before the refund: returns 503, and the key works afterwards', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    refunds.payments.setDown(true)
    expect(await refunds.refund(partner, orderKey, body, 'down')).toEqual(unavailable)
    refunds.payments.setDown(false)
    expect(await refunds.refund(partner, orderKey, body, 'down')).toMatchObject({ ok: true })
  })

  it('is down after the processor made the refund: returns 201, and the order counts it later', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    refunds.payments.setRecordDown(true)
    const answer = await refunds.refund(partner, orderKey, body, 'unrecorded')
    expect(answer).toMatchObject({ ok: true, value: { refunded_cents: 2_500 } })
    expect(await refunds.statesOf(orderKey)).toEqual({ succeeded: 1 })
    refunds.payments.setRecordDown(false)
    await settled(orderKey, { reconciled: 1 })
    expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
    expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
    const again = await refunds.refund(partner, orderKey, body, 'unrecorded')
    expect(again.ok && again.value).toEqual(answer.ok && answer.value)
  })
})
