import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, PAGE_MAX_BYTES, statement } from '@causeway/chassis'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const fill = statement({
  name: 'test.fill-refunds',
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, description, order_lines, idempotency_key,
      partner_customer_id, order_id, currency, processor, processor_order_id, service_fee_payer, max_refundable_cents,
      refunded_before_cents, completed_at, created_at)
    SELECT 'rfd_' || lpad($2::text || lpad(n::text, 4, '0'), 26, '0'), $1, $2::text::bigint, 'failed', 1, $4, $5::jsonb, 'key-' || n, $6, $7, 'EUR',
      'processor', 'of-nobody', 'customer', 10000, 0, $8, $8::timestamptz + (n / 3) * interval '1 second'
    FROM generate_series(1, $3::int) AS n`,
})

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests()
})
afterAll(() => refunds.stop())

const KIB = 1_024
const lines = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, () => ({ merchant_order_line_id: '"'.repeat(255), quantity: 1 })),
  )
const numberOf = (refund: { refund_id: string }) => Number(refund.refund_id.slice(-4))
const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - index)

it('30 refunds of an order, filled to their limits, are read page by page, newest first', async () => {
  const { partner, orderKey, orderId } = await refunds.newOrder()
  const values = ['\u0001'.repeat(1_000), lines(450), newId('relationship'), orderId, new Date()]
  await refunds.db.query(fill, [partner.partnerId, orderKey, 30, ...values])
  const listed: number[] = []
  let cursor: string | null = null
  for (let pages = 0; pages === 0 || cursor !== null; pages += 1) {
    const answer = await refunds.list(partner, orderKey, cursor === null ? {} : { cursor })
    if (!answer.ok) throw new Error(answer.code)
    expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThanOrEqual(PAGE_MAX_BYTES + KIB)
    listed.push(...answer.value.refunds.map(numberOf))
    cursor = answer.value.next_cursor
  }
  expect(listed).toEqual(downFrom(30))
})

it('small ones come a hundred to a page; a cursor is of its own order alone', async () => {
  const { partner, orderKey, orderId } = await refunds.newOrder()
  const other = await refunds.newOrder()
  await refunds.db.query(fill, [
    partner.partnerId,
    orderKey,
    200,
    null,
    null,
    newId('relationship'),
    orderId,
    new Date(),
  ])
  const first = await refunds.list(partner, orderKey, { limit: '1000' })
  if (!first.ok) throw new Error(first.code)
  const cursor = first.value.next_cursor ?? ''
  const second = await refunds.list(partner, orderKey, { cursor })
  if (!second.ok) throw new Error(second.code)
  expect(second.value.next_cursor).toBeNull()
  expect([...first.value.refunds, ...second.value.refunds].map(numberOf)).toEqual(downFrom(200))
  for (const forged of ['x', `${cursor}A`])
    expect(await refunds.list(partner, orderKey, { cursor: forged })).toEqual({
      ok: false,
      code: 'invalid_cursor',
    })
  expect(await refunds.list(other.partner, other.orderKey, { cursor })).toEqual({
    ok: false,
    code: 'invalid_cursor',
  })
})
