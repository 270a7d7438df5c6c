import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, PAGE_MAX_BYTES, queryNone } from '@causeway/chassis'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const fill = queryNone({
  name: 'test.fill-refunds',
  parameters: {
    partnerId: 'text',
    orderKey: 'bigint',
    count: 'integer',
    description: 'text?',
    orderLines: 'jsonb?',
    customerId: 'text',
    orderId: 'text',
    at: 'timestamptz',
  },
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, description, order_lines, idempotency_key,
      partner_customer_id, order_id, currency, processor, processor_order_id, service_fee_payer, max_refundable_cents,
      refunded_before_cents, completed_at, created_at)
    SELECT 'rfd_' || lpad(CAST(:orderKey AS text) || lpad(n::text, 4, '0'), 26, '0'), :partnerId, :orderKey, 'failed', 1,
      :description, :orderLines, 'key-' || n, :customerId, :orderId, 'EUR', 'processor', 'of-nobody', 'customer', 10000, 0,
      :at, :at + (n / 3) * interval '1 second'
    FROM generate_series(1, :count) AS n`,
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

it('reads 30 refunds of an order with maximal fields page by page, newest first', async () => {
  const { partner, orderKey, orderId } = await refunds.newOrder()
  await fill(refunds.db, {
    partnerId: partner.partnerId,
    orderKey,
    count: 30,
    description: '\u0001'.repeat(1_000),
    orderLines: lines(450),
    customerId: newId('relationship'),
    orderId,
    at: new Date(),
  })
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

it('returns a hundred small refunds a page, with a cursor that is valid only for its order', async () => {
  const { partner, orderKey, orderId } = await refunds.newOrder()
  const other = await refunds.newOrder()
  await fill(refunds.db, {
    partnerId: partner.partnerId,
    orderKey,
    count: 200,
    description: null,
    orderLines: null,
    customerId: newId('relationship'),
    orderId,
    at: new Date(),
  })
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
