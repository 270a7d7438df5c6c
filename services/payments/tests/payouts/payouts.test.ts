import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { payouts } from '@causeway/contracts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const staff = { kind: 'operator' as const, actor: 'staff' }
const announce = (customerId: string, change: object = {}, idempotencyKey?: string, actor = 'staff') =>
  payments.ask(
    payouts.announce,
    { ...staff, actor },
    {
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      body: {
        customer_id: customerId,
        amount_cents: 5_000,
        currency: 'EUR',
        scheduled_for: '2026-12-01T10:00:00+01:00',
        ...change,
      },
    },
  )
const send = (payoutId: string) => payments.ask(payouts.markSent, staff, { params: { payoutId } })

it('announces and sends a payout once, with both events for its merchant', async () => {
  const { customerId } = await createFiatCalls(payments).newShop()
  const merchantId = payments.onboarding.merchantOf(customerId) ?? ''
  const announced = await announce(merchantId)
  const payout = announced.ok ? announced.value.payout : null
  expect(payout).toMatchObject({
    status: 'upcoming',
    scheduled_for: '2026-12-01T09:00:00.000Z',
    sent_at: null,
  })
  const id = payout?.payout_id ?? ''
  const answers = await Promise.all([send(id), send(id)])
  expect(answers.map((answer) => (answer.ok ? 'sent' : answer.code)).sort()).toEqual([
    'invalid_state',
    'sent',
  ])
  const emitted = (await payments.eventsOf(id)).map(({ partners, merchant }) => [
    partners.length,
    merchant?.merchant_id,
    merchant?.integration_id,
    merchant?.event,
  ])
  expect(emitted).toEqual([
    [0, merchantId, null, 'payout_upcoming'],
    [0, merchantId, null, 'payout_sent'],
  ])
})

it('refuses a payout of an unknown merchant or with an unknown currency', async () => {
  expect(await announce(newId('merchant'))).toEqual({ ok: false, code: 'resource_not_found' })
  expect(await announce(newId('merchant'), { currency: 'XTS' })).toMatchObject({ code: 'invalid_request' })
  expect(await send(newId('payout'))).toEqual({ ok: false, code: 'resource_not_found' })
})

it('lists upcoming payouts by their schedule, page by page, until they are sent', async () => {
  const { customerId } = await createFiatCalls(payments).newShop()
  const merchantId = payments.onboarding.merchantOf(customerId) ?? ''
  const ids = []
  for (const day of ['03', '02', '04']) {
    const announced = await announce(merchantId, { scheduled_for: `2020-12-${day}T10:00:00Z` })
    ids.push(announced.ok ? announced.value.payout.payout_id : '')
  }
  const pageOf = async (query: object) => {
    const answer = await payments.ask(payouts.list, staff, { query })
    if (!answer.ok) throw new Error(answer.code)
    return { ids: answer.value.payouts.map((row) => row.payout_id), next: answer.value.next_cursor }
  }
  const first = await pageOf({ limit: '2' })
  const second = await pageOf({ limit: '1', cursor: first.next })
  expect([...first.ids, ...second.ids]).toEqual([ids[1], ids[0], ids[2]])
  await send(ids[0] ?? '')
  expect((await pageOf({ limit: '2' })).ids).toEqual([ids[1], ids[2]])
  expect((await pageOf({ status: 'sent' })).ids).toContain(ids[0])
  expect(await payments.ask(payouts.list, staff, { query: { cursor: 'x' } })).toMatchObject({
    code: 'invalid_cursor',
  })
})

it('announces one payout however often and by whom a key is repeated, and two without a key', async () => {
  const { customerId } = await createFiatCalls(payments).newShop()
  const merchantId = payments.onboarding.merchantOf(customerId) ?? ''
  const key = newId('request')
  const answers = await Promise.all([
    announce(merchantId, {}, key),
    announce(merchantId, {}, key),
    announce(merchantId, {}, key, 'colleague'),
  ])
  const ids = answers.map((answer) => (answer.ok ? answer.value.payout.payout_id : answer.code))
  expect(new Set(ids).size).toBe(1)
  expect(await payments.eventsOf(ids[0] ?? '')).toHaveLength(1)
  expect(await announce(merchantId, { amount_cents: 5_001 }, key)).toEqual({
    ok: false,
    code: 'idempotency_key_reuse',
  })
  const [first, second] = [await announce(merchantId), await announce(merchantId)]
  expect(first.ok && second.ok && first.value.payout.payout_id !== second.value.payout.payout_id).toBe(true)
})

it('releases the key of a payout that was refused', async () => {
  const key = newId('request')
  expect(await announce(newId('merchant'), {}, key)).toEqual({ ok: false, code: 'resource_not_found' })
  const { customerId } = await createFiatCalls(payments).newShop()
  const announced = await announce(payments.onboarding.merchantOf(customerId) ?? '', {}, key)
  expect(announced).toMatchObject({ ok: true, value: { payout: { status: 'upcoming' } } })
})
