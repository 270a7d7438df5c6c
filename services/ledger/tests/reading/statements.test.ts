import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { joinPages, verifyStatement } from '@causeway/statement-proof'
import { statements, type LedgerFact, type Statement } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sealPostings } from '../../src/seals/seal.ts'
import { postFacts } from '../../src/posting/post-facts.ts'
import { deposited, disputed, paid } from '../fixtures/facts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'

let ledger: RunningLedger
const now = new Date()
/** The first instant of the month that is this many months before the current one. */
const monthAgo = (count: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1))
const nameOf = (count: number) => monthAgo(count).toISOString().slice(0, 7)
const [BEFORE_LAST, LAST, CURRENT] = [nameOf(2), nameOf(1), nameOf(0)] as const
const never = '2099-01-01T00:00:00.000Z'

const merchant = newId('merchant')
const busy = newId('merchant')
const BUSY_PAYMENTS = 1_200
let facts = 0
const nextFact = () => `statement-${(facts += 1)}`
const pay = (relationship: string, change: Partial<ReturnType<typeof paid>> = {}) =>
  paid({ fact_id: nextFact(), partner_customer_id: relationship, available_at: never, ...change })
const postAt = (at: Date, posted: readonly LedgerFact[]) =>
  postFacts({ db: ledger.db, clock: { now: () => at } }, posted)

beforeAll(async () => {
  ledger = await startForTests()
  const relate = async (customer_id: string) => {
    const state = ledger.onboarding.relate({ customer_id })
    await ledger.onboarding.publish(state)
    return state.partner_customer_id
  }
  const [one, other, foreign] = [await relate(merchant), await relate(merchant), await relate(busy)]
  const inBtc = { open: '0', applied: '0.5', partner_customer_id: other }
  await postAt(monthAgo(2), [pay(one), pay(other), deposited({ fact_id: nextFact(), ...inBtc })])
  await postAt(monthAgo(1), [
    pay(one, { total_cents: 5_000 }),
    disputed({ fact_id: nextFact(), partner_customer_id: one }),
  ])
  await postAt(
    monthAgo(1),
    Array.from({ length: BUSY_PAYMENTS }, () => pay(foreign)),
  )
  await postAt(now, [pay(one, { total_cents: 700, service_fee_cents: 0 })])
  // Its relationship was published last.
  await eventually(async () => (await pagesOf(LAST, {}, busy)).length > 1)
})
afterAll(() => ledger.stop())

const ask = (month: string, query: Record<string, string> = {}, owner = merchant) =>
  ledger.asMerchant(statements.get, owner, { params: { month }, query })
const pagesOf = async (month: string, query: Record<string, string> = {}, owner = merchant) => {
  const pages: Statement[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const answer = await ask(month, { ...query, ...(cursor !== undefined && { cursor }) }, owner)
    if (!answer.ok) throw new Error(answer.code)
    pages.push(answer.value.statement)
    cursor = answer.value.nextCursor
  }
  return pages
}
const statementOf = async (month: string): Promise<Statement> => {
  const [statement, ...more] = await pagesOf(month)
  if (statement === undefined || more.length > 0) throw new Error('The statement has another number of pages')
  return statement
}
const sumsOf = ({ units }: Statement) =>
  units.map(({ unit, opening, entries, closing }) => `${unit} ${opening} +${entries.length} = ${closing}`)

test('states each past month, from the closing balance of the month before, with a valid proof', async () => {
  const [first, second] = [await statementOf(BEFORE_LAST), await statementOf(LAST)]
  expect(sumsOf(first)).toEqual(['BTC/BTC 0 +1 = 0.5', 'EUR 0 +4 = 19500'])
  // The dispute's fee is in another currency.
  expect(sumsOf(second)).toEqual(['BTC/BTC 0.5 +0 = 0.5', 'EUR 19500 +3 = 18250', 'USD 0 +1 = -1500'])
  for (const [statement, lines] of [
    [first, 5],
    [second, 4],
  ] as const)
    expect(verifyStatement(statement)).toMatchObject({ faults: [], closed: true, lines })
})

test('states the sealed part of the current month, and does not call it closed', async () => {
  const statement = await statementOf(CURRENT)
  expect(sumsOf(statement)).toEqual(['BTC/BTC 0.5 +0 = 0.5', 'EUR 18250 +1 = 18950', 'USD -1500 +0 = -1500'])
  expect(verifyStatement(statement)).toMatchObject({ faults: [], closed: false })
})

test('returns the same bytes for a past month after later postings', async () => {
  const before = JSON.stringify(await statementOf(LAST))
  const [first] = (await statementOf(LAST)).proof.accounts
  await postAt(monthAgo(1), [pay(first?.leaf.partnerCustomerId ?? '')])
  expect(JSON.stringify(await statementOf(LAST))).toBe(before)
})

test('divides a statement into pages that join to the whole statement', async () => {
  const pages = await pagesOf(LAST, { limit: '1' })
  expect(pages.length).toBeGreaterThan(3)
  expect(joinPages(LAST, pages)).toEqual(await statementOf(LAST))
})

test('answers a merchant with thousands of lines page by page', async () => {
  const pages = await pagesOf(LAST, {}, busy)
  expect(pages.map(({ units }) => units[0]?.entries.length)).toEqual([1_000, 1_000, 400])
  expect(verifyStatement(joinPages(LAST, pages))).toMatchObject({ faults: [], lines: 2 * BUSY_PAYMENTS })
  expect(verifyStatement(joinPages(LAST, pages.slice(0, 2))).faults).toContainEqual(
    expect.stringMatching(/the hashes of its lines are not those that were sealed/),
  )
})

test('states a partner its own earnings alone, with a valid proof, page by page', async () => {
  const [partnerId, other] = [newId('partner'), newId('partner')]
  const relationship = newId('relationship')
  const earn = (partner_id: string, partner_fee_cents: number) =>
    pay(relationship, { partner_id, partner_fee_cents })
  await postAt(new Date(), [earn(partnerId, 300), earn(partnerId, 200), earn(other, 100)])
  const askPartner = async (query: Record<string, string> = {}) => {
    const answer = await ledger.asPartner(statements.getOfPartner, partnerId, {
      params: { month: CURRENT },
      query,
    })
    if (!answer.ok) throw new Error(answer.code)
    return answer.value
  }
  await sealPostings(ledger.db.pooled, new Date(), 100)
  const first = await askPartner({ limit: '1' })
  const second = await askPartner({ limit: '1', cursor: first.next_cursor ?? '' })
  expect(second.next_cursor).toBeNull()
  const joined = joinPages(CURRENT, [first.statement, second.statement])
  expect(joined.units).toMatchObject([
    { unit: 'EUR', opening: 0, entries: [{ amount: 300 }, { amount: 200 }], closing: 500 },
  ])
  expect(joined.units[0]?.entries.map((entry) => entry.partnerCustomerId)).toEqual([partnerId, partnerId])
  expect(verifyStatement(joined)).toMatchObject({ faults: [], lines: 2 })
})

test('states nothing for a merchant without relationships and a month before the first posting', async () => {
  const empty = { units: [], proof: { seals: [], accounts: [] } }
  expect(await statementOf('2020-01')).toMatchObject(empty)
  const answer = await ask(LAST, {}, newId('merchant'))
  expect(answer).toMatchObject({ value: { statement: empty, nextCursor: null } })
})

describe('a statement', () => {
  const month = [{ field: 'month', reason: 'invalid_value', expected: expect.any(String) }]
  test.each(['2026-13', '2026-1', '202610', '2026-10-01', 'october', `${CURRENT} `, '9999-12'])(
    'is refused with 400 for the month %s',
    async (given) => {
      expect(await ask(given)).toMatchObject({ code: 'invalid_request', details: month })
    },
  )

  test('refuses the cursor of another month or merchant', async () => {
    const answer = await ask(LAST, { limit: '1' })
    const cursor = (answer.ok && answer.value.nextCursor) || ''
    expect(await ask(BEFORE_LAST, { cursor })).toMatchObject({ code: 'invalid_cursor' })
    expect(await ask(LAST, { cursor }, busy)).toMatchObject({ code: 'invalid_cursor' })
  })
})

test('closes a past month before it returns its statement', async () => {
  ledger.clock.advance(32 * 86_400_000)
  const statement = await statementOf(CURRENT)
  expect(verifyStatement(statement)).toMatchObject({ faults: [], closed: true })
})
