import { newId } from '@causeway/chassis'
import { orderSettlements } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { paid } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

let orders = 500
/** A paid order of a new merchant, with a share for another one. */
const newOrder = async () => {
  const [owner, sharing] = [newId('relationship'), newId('relationship')]
  const [merchantId, other] = [newId('merchant'), newId('merchant')]
  for (const [id, merchant] of [
    [owner, merchantId],
    [sharing, other],
  ])
    await ledger.sql(
      `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
       VALUES ($1, $2, $3, 'active', '{}', 1)`,
      [id, newId('partner'), merchant],
    )
  orders += 1
  const orderKey = String(orders)
  const splits = [{ partner_customer_id: sharing, amount_cents: 100 }]
  await postFacts(ledger, [
    paid({ fact_id: newId('event'), order_key: orderKey, partner_customer_id: owner, splits }),
  ])
  return { orderKey, merchantId, other }
}
const addLine = (
  lineId: string,
  kind: string,
  cents: number,
  payoutRef: string | null,
  orderKey: string | null,
) =>
  ledger.sql(
    `INSERT INTO settlement_lines (processor, line_id, kind, processor_order_id, gross_cents, fee_cents, net_cents,
       currency, available_on, payout_ref, imported_at, order_key, status)
     VALUES ('processor', $1, $2, 'p', $3, 0, $3, 'EUR', '2026-11-20', $4, now(), $5, 'done')`,
    [lineId, kind, cents, payoutRef, orderKey],
  )
const addBankLine = (lineId: string, reference: string, amount: number) =>
  ledger.sql(
    `INSERT INTO bank_lines (line_id, booked_at, amount, currency, reference, imported_at)
     VALUES ($1, '2026-11-23T10:00:00Z', $2, 'EUR', $3, now())`,
    [lineId, amount, reference],
  )
const settlementsOf = async (merchantId: string, orderKey: string) => {
  const answer = await ledger.asMerchant(orderSettlements.listByMerchant, merchantId, {
    params: { orderKey },
  })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.settlements
}

test('follows an order from the processor’s line over its payout to the line of the bank', async () => {
  const { orderKey, merchantId } = await newOrder()
  const line = {
    ...{
      processor: 'processor',
      kind: 'payment',
      currency: 'EUR',
      original: null,
      grossCents: 10_000,
      availableOn: '2026-11-20',
    },
    ...{ payoutRef: null, paidOutOn: null, bookedOn: null },
  }
  await addLine(`${orderKey}-a`, 'payment', 10_000, null, orderKey)
  expect(await settlementsOf(merchantId, orderKey)).toEqual([{ ...line, lineId: `${orderKey}-a` }])
  const payoutRef = `po-${orderKey}`
  await addLine(`${orderKey}-b`, 'refund', -4_000, payoutRef, orderKey)
  await addLine(`${orderKey}-c`, 'payout', -6_000, payoutRef, null)
  // Another amount under the same reference is another transfer.
  await addBankLine(`${orderKey}-1`, payoutRef, 5_999)
  const refund = { ...line, lineId: `${orderKey}-b`, kind: 'refund', grossCents: -4_000, payoutRef }
  const [, second] = await settlementsOf(merchantId, orderKey)
  expect(second).toEqual({ ...refund, paidOutOn: '2026-11-20' })
  await addBankLine(`${orderKey}-2`, payoutRef, 6_000)
  const [, third] = await settlementsOf(merchantId, orderKey)
  expect(third).toEqual({ ...refund, paidOutOn: '2026-11-20', bookedOn: '2026-11-23' })
})

test('shows what a line was before the processor converted it, and at which rate', async () => {
  const { orderKey, merchantId } = await newOrder()
  await addLine(`${orderKey}-a`, 'payment', 8_800, null, orderKey)
  await addLine(`${orderKey}-b`, 'refund', -860, null, orderKey)
  const convert = (line: string, cents: number, rate: string | null) =>
    ledger.sql(
      `UPDATE settlement_lines SET original_currency = 'USD', original_cents = $2, original_rate = $3 WHERE line_id = $1`,
      [`${orderKey}-${line}`, cents, rate],
    )
  await convert('a', 10_000, '0.88')
  await convert('b', -1_000, null)
  expect(await settlementsOf(merchantId, orderKey)).toMatchObject([
    { currency: 'EUR', grossCents: 8_800, original: { currency: 'USD', grossCents: 10_000, rate: '0.88' } },
    { currency: 'EUR', grossCents: -860, original: { currency: 'USD', grossCents: -1_000, rate: null } },
  ])
})

test('shows an order’s settlement to the merchant that was paid alone, not to one that receives a share', async () => {
  const { orderKey, merchantId, other } = await newOrder()
  await addLine(`${orderKey}-a`, 'payment', 10_000, null, orderKey)
  expect((await settlementsOf(merchantId, orderKey)).length).toBe(1)
  expect(await settlementsOf(other, orderKey)).toEqual([])
  expect(await settlementsOf(newId('merchant'), orderKey)).toEqual([])
  expect(await settlementsOf(merchantId, '999')).toEqual([])
})
