import { newId } from '@causeway/chassis'
import { testPartner } from '@causeway/chassis/testing'
import { dailyTotals, TOTALS_KEPT_DAYS, type LedgerFact } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { addNewPostings } from '../src/daily-totals/jobs/add-postings.ts'
import * as store from '../src/daily-totals/store.ts'
import { ownedAccount, suspense } from '../src/posting/accounts.ts'
import { postBatch, postFacts } from '../src/posting/post-facts.ts'
import { transferOf, type Posting } from '../src/posting/posting.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'
import { paid, refunded } from './fixtures/facts.ts'

const DAY_MS = 86_400_000

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const today = () => ledger.clock.now()
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(ledger.clock.nowMs() - days * DAY_MS)

type Owner = Readonly<{ partnerId: string; merchantId: string; id: string }>
const newOwner = (partnerId = newId('partner'), merchantId = newId('merchant')): Owner => ({
  partnerId,
  merchantId,
  id: newId('relationship'),
})
const know = ({ id, partnerId, merchantId }: Owner) =>
  ledger.sql(
    `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
     VALUES ($1, $2, $3, 'active', '{}', 1)`,
    [id, partnerId, merchantId],
  )
const newKnownOwner = async (...ids: readonly string[]) => {
  const owner = newOwner(...ids)
  await know(owner)
  return owner
}

const post = (...postings: Posting[]) => postBatch(ledger.db.pooled, { postings }, today())
const postAllFacts = (...facts: LedgerFact[]) => postFacts(ledger, facts)
const moved = (ownerId: string, amount: bigint, at = today(), unit = 'EUR') =>
  adjustmentPosting({ ownerId, unit, amount }, newId('adjustment'), at)
const add = async () => {
  while (await addNewPostings(ledger)) continue
}

const short = (answer: Awaited<ReturnType<typeof listOfPartner>>) => {
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.totals.map(({ day, unit, kind, amount, entries }) => [day, unit, kind, amount, entries])
}
const listOfPartner = (partnerId: string, query: object = {}) =>
  ledger.ask(dailyTotals.list, testPartner(partnerId), { query })
const ofPartner = async (partnerId: string, query?: object) => short(await listOfPartner(partnerId, query))
const ofMerchant = async (merchantId: string) =>
  short(await ledger.asMerchant(dailyTotals.listByMerchant, merchantId, { query: {} }))
const ofPlatform = async () =>
  short(await ledger.asStaff(dailyTotals.listOfPlatform, { query: { unit: 'JPY' } }))
const byStaff = async ({ partnerId, merchantId }: Owner) => [
  short(await ledger.asStaff(dailyTotals.listOfPartner, { params: { partnerId }, query: {} })),
  short(
    await ledger.asStaff(dailyTotals.listOfMerchant, {
      params: { customerId: merchantId },
      query: { unit: 'ETH/USDC' },
    }),
  ),
]

test('sums what customers received by day, unit and kind, without transfers between balances of one owner', async () => {
  const [one, other] = [await newKnownOwner(), await newKnownOwner()]
  const card = { partner_id: one.partnerId, partner_customer_id: one.id, order_key: '41' }
  const at = daysAgo(2).toISOString()
  const available = { at, available_at: at }
  await postAllFacts(
    paid({ ...card, ...available, fact_id: newId('event'), partner_fee_cents: 100 }),
    paid({ ...card, ...available, fact_id: newId('event'), order_key: '42' }),
    refunded({ ...card, ...available, fact_id: newId('event') }),
  )
  const owned = (balance: 'available' | 'reserved') => ownedAccount(one.id, balance)
  const held = {
    ...moved(one.id, 1n),
    transfers: transferOf(owned('available'), owned('reserved'), 'EUR', 70n, 'reserve'),
  }
  await post(held, moved(one.id, 250n), moved(one.id, -5n, today(), 'ETH/USDC'), moved(other.id, 9n))
  await add()
  const day = dayOf(daysAgo(2))
  const expected = [
    [day, 'EUR', 'partner_fee', -100, 1],
    [day, 'EUR', 'payment', 20_000, 2],
    [day, 'EUR', 'refund', -4_000, 1],
    [day, 'EUR', 'service_fee', -500, 2],
    [dayOf(today()), 'ETH/USDC', 'adjustment', '-0.000005', 1],
    [dayOf(today()), 'EUR', 'adjustment', 250, 1],
  ]
  expect(await ofPartner(one.partnerId)).toEqual(expected)
  expect(await ofMerchant(one.merchantId)).toEqual(expected)
  expect(await byStaff(one)).toEqual([expected, [expected[4]]])
  expect(await ofPartner(other.partnerId)).toEqual([[dayOf(today()), 'EUR', 'adjustment', 9, 1]])
  expect(await ofPartner(newId('partner'))).toEqual([])
})

test('counts an entry that was reversed and corrected once', async () => {
  const { id, partnerId } = await newKnownOwner()
  const wrong = moved(id, 100n)
  const back = {
    ...moved(id, 1n),
    reverses: wrong.source,
    transfers: transferOf(ownedAccount(id, 'available'), suspense('EUR'), 'EUR', 100n, 'adjustment'),
  }
  await post(wrong)
  await post(back, moved(id, 90n))
  await add()
  expect(await ofPartner(partnerId)).toEqual([[dayOf(today()), 'EUR', 'adjustment', 90, 1]])
})

test('adds each entry once when replicas run simultaneously, and sums all customers of a partner and of the platform', async () => {
  const partnerId = newId('partner')
  const owners = [await newKnownOwner(partnerId), await newKnownOwner(partnerId)]
  const before = await ofPlatform()
  for (const { id } of owners) {
    await post(...Array.from({ length: 20 }, () => moved(id, 3n, today(), 'JPY')))
    await Promise.all([add(), add(), add()])
  }
  expect(before).toEqual([])
  const expected = [[dayOf(today()), 'JPY', 'adjustment', 120, 40]]
  expect([await ofPartner(partnerId), await ofPlatform()]).toEqual([expected, expected])
})

test('adds the entries of a relationship to its partner once when it becomes known while they are added', async () => {
  const owner = newOwner()
  await post(moved(owner.id, 10n))
  await add()
  await ledger.db.transaction(async (tx) => {
    const position = await store.POSITION.lock(tx)
    await know(owner)
    await post(moved(owner.id, 5n))
    const [after, through] = [position?.through ?? '', (await store.POSITION.read(tx))?.end ?? '']
    await store.addPostings(tx, { after: BigInt(after), through: BigInt(through), since: '2020-01-01' })
    await store.POSITION.set(tx, { through: BigInt(through) })
  })
  await post(moved(owner.id, 2n))
  await add()
  expect(await ofPartner(owner.partnerId)).toEqual([[dayOf(today()), 'EUR', 'adjustment', 17, 3]])
  expect(await ofMerchant(owner.merchantId)).toEqual([[dayOf(today()), 'EUR', 'adjustment', 17, 3]])
})

test('ignores entries of days that are no longer kept, and deletes totals of them', async () => {
  const { id, partnerId } = await newKnownOwner()
  const edge = daysAgo(TOTALS_KEPT_DAYS)
  await post(moved(id, 1n, daysAgo(TOTALS_KEPT_DAYS + 1)), moved(id, 2n, edge))
  await add()
  const query = { since: dayOf(daysAgo(TOTALS_KEPT_DAYS + 1)), until: dayOf(edge) }
  expect(await ofPartner(partnerId, query)).toEqual([[dayOf(edge), 'EUR', 'adjustment', 2, 1]])
  await store.deleteOld(ledger.db, { since: dayOf(daysAgo(TOTALS_KEPT_DAYS - 1)), limit: 100 })
  expect(await ofPartner(partnerId, query)).toEqual([])
})

test.each([
  [{ since: '2026-11-02', until: '2026-11-01' }, 'since', 'a day up to 2026-11-01'],
  [{ since: '2026-05-31', until: '2026-12-01' }, 'since', 'at most 184 days: 2026-06-01 or later'],
])('refuses the days %p and says which are allowed', async (query, field, expected) => {
  expect(await listOfPartner(newId('partner'), query)).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ field, reason: 'invalid_value', expected }],
  })
})
