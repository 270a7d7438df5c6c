import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { LedgerFact, ReportType } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../../src/posting/post-facts.ts'
import { deposited, disputed, paid, refunded } from '../fixtures/facts.ts'
import { payoutsOf } from '../fixtures/payouts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'
import { reportCalls } from './report-calls.ts'

let ledger: RunningLedger
const partner = newId('partner')
let [first, second] = ['', '']
const [FROM, TO] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-07-01T00:00:00Z')]
const { rowsOf } = reportCalls(() => ledger, { partner, from: FROM, to: TO })

let facts = 0
const nextFact = () => `tax-${(facts += 1)}`
const post = (day: string, ...posted: readonly LedgerFact[]) =>
  postFacts({ db: ledger.db, clock: { now: () => new Date(`${day}T12:00:00Z`) } }, posted)
const sale = (relationship: string, order_id: string, change: Partial<ReturnType<typeof paid>> = {}) =>
  paid({ fact_id: nextFact(), partner_customer_id: relationship, order_id, order_key: order_id, ...change })
const crypto = (change: Partial<ReturnType<typeof deposited>>) =>
  deposited({
    ...{ fact_id: nextFact(), order_id: newId('cryptoOrder'), partner_customer_id: first },
    ...{ open: '0', ...change },
  })

beforeAll(async () => {
  ledger = await startForTests()
  const relate = async () => {
    const state = ledger.onboarding.relate({ partner_id: partner })
    await ledger.onboarding.publish(state)
    return state.partner_customer_id
  }
  ;[first, second] = [await relate(), await relate()]
  const never = { available_at: '2099-01-01T00:00:00.000Z' }
  const [one, two] = [newId('fiatOrder'), newId('fiatOrder')]
  await post(
    '2026-03-31',
    sale(first, one, never),
    sale(first, newId('fiatOrder'), never),
    crypto({ applied: '0.5' }),
  )
  await post('2026-04-01', sale(second, two, { ...never, total_cents: 8_000, service_fee_cents: 0 }))
  const ofOrder = (order_id: string, partner_customer_id: string) => ({
    ...{ fact_id: nextFact(), order_id, order_key: order_id, partner_customer_id },
  })
  await post('2026-04-02', refunded({ ...ofOrder(two, second), ...never }), disputed(ofOrder(one, first)))
  await post('2026-05-01', crypto({ applied: '0.25' }))
  const payouts = payoutsOf({ db: ledger.db } as never)
  const inBtc = { ownerId: first, unit: 'BTC/BTC' }
  // In June.
  await payouts.pay('kept', { ...inBtc, amount: 30_000_000n }, -150)
  await payouts.pay('cancelled', { ...inBtc, amount: 1_000n }, -150)
  await payouts.step('cancelled', 'cancelled', -149)
  await eventually(async () => (await rowsOf({ type: 'dac7' })).length > 0)
})
afterAll(() => ledger.stop())

const listed = async (type: ReportType, columns: readonly string[]) => {
  const names: Readonly<Record<string, string>> = { [first]: 'first', [second]: 'second' }
  const rows = await rowsOf({ type })
  return rows
    .map((row) => [names[String(row['partner_customer_id'])], ...columns.map((name) => row[name])].join(' '))
    .sort()
}

test('states consideration net of fees, fees, and sales of each seller, unit and quarter for DAC7', async () => {
  expect(await listed('dac7', ['unit', 'quarter', 'consideration', 'fees', 'activities'])).toEqual([
    'first BTC/BTC 2026-Q1 0.5 0 1',
    'first BTC/BTC 2026-Q2 0.25 0 1',
    'first EUR 2026-Q1 19500 500 2',
    'first EUR 2026-Q2 -6000 0 0',
    'first USD 2026-Q2 -1500 1500 0',
    'second EUR 2026-Q2 4000 0 1',
  ])
})

test('states units received and sent of each asset and year for DAC8, without cancelled payouts', async () => {
  expect(await listed('dac8', ['unit', 'year', 'received', 'receipts', 'sent', 'transfers'])).toEqual([
    'first BTC/BTC 2026 0.75 2 0.3 1',
  ])
})

test.each([
  ['dac7', 'name;primary_address;tin;'],
  ['dac8', 'fair_market_value'],
] as const)('names in each row of %s what the books do not have', async (type, missing) => {
  const rows = await rowsOf({ type })
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row['missing_fields']).toContain(missing)
})
