import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { adjustments } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { disputed } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const reason = 'The merchant has closed its shop'
/** Creates a relationship that owes an amount. */
const newDebtor = async (amount_cents: number): Promise<string> => {
  const state = ledger.onboarding.relate()
  await ledger.onboarding.publish(state)
  const { partner_customer_id } = state
  const body = { partner_customer_id, unit: 'EUR', amount: 1, reason }
  await eventually(async () => (await ledger.asStaff(adjustments.prepareCreation, { body })).ok)
  const fact = { fact_id: `disputed:${partner_customer_id}`, partner_customer_id, amount_cents, fee: null }
  await postFacts(ledger, [disputed(fact)])
  return partner_customer_id
}
const writeOff = (
  partner_customer_id: string,
  amount: number,
  change: object = {},
  idempotencyKey?: string,
) =>
  ledger.asStaff(adjustments.writeOff, {
    body: { partner_customer_id, unit: 'EUR', amount, reason, ...change },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
const sumOf = async (account: string) => (await ledger.sums())[`${account} EUR`] ?? 0n
const codeOf = (answer: Readonly<{ ok: boolean; code?: string }>) => (answer.ok ? 'done' : answer.code)
const refusedAbove = (limit: number | string) => ({
  code: 'invalid_request',
  details: [{ field: 'amount', reason: 'too_big', expected: `at most ${limit}` }],
})

test('moves what is written off from cost:loss to the owner, as an adjustment that the owner sees', async () => {
  const debtor = await newDebtor(500)
  const lost = await sumOf('cost:loss')
  expect(await writeOff(debtor, 200)).toMatchObject({
    value: {
      write_off: {
        adjustment_id: expect.stringMatching(/^adj_/),
        journal_id: expect.stringMatching(/^jnl_/),
        partner_customer_id: debtor,
        partner_id: null,
        unit: 'EUR',
        amount: 200,
        reason,
      },
    },
  })
  expect([await sumOf(`${debtor}:available`), await sumOf('cost:loss')]).toEqual([-300n, lost - 200n])
  const kinds = await ledger.sql(
    `SELECT e.kind, e.amount::integer AS amount FROM books.entries AS e JOIN books.accounts AS a ON a.id = e.account_id
     WHERE a.owner_id = $1 ORDER BY e.seq`,
    [debtor],
  )
  expect(kinds.at(-1)).toEqual({ kind: 'adjustment', amount: 200 })
})

test('refuses a write-off above what the balance is below zero, and of a balance that is not', async () => {
  const debtor = await newDebtor(500)
  const before = await ledger.sums()
  expect(await writeOff(debtor, 501)).toMatchObject(refusedAbove(500))
  expect(await ledger.sums()).toEqual(before)
  expect(codeOf(await writeOff(debtor, 500))).toBe('done')
  expect(await writeOff(debtor, 1)).toMatchObject(refusedAbove(0))
  await ledger.asStaff(adjustments.create, {
    body: { partner_customer_id: debtor, unit: 'EUR', amount: 9, reason },
  })
  expect(await writeOff(debtor, 1)).toMatchObject(refusedAbove(0))
  expect(await writeOff(debtor, 0, { unit: 'ETH/USDC', amount: '0.5' })).toMatchObject(refusedAbove('0'))
})

test.each([
  ['an owner that is unknown', { partner_customer_id: newId('relationship') }, 'resource_not_found'],
  ['two owners', { partner_id: newId('partner') }, 'invalid_request'],
  ['no owner', { partner_customer_id: undefined }, 'invalid_request'],
  ['an unknown unit', { unit: 'ETH/BTC' }, 'invalid_request'],
  ['an amount of 0', { amount: 0 }, 'invalid_request'],
  ['a negative amount', { amount: -1 }, 'invalid_request'],
  ['a decimal of a currency', { amount: '1.00' }, 'invalid_request'],
  ['an integer of an asset', { unit: 'ETH/USDC', amount: 1 }, 'invalid_request'],
  ['a negative amount of an asset', { unit: 'ETH/USDC', amount: '-1' }, 'invalid_request'],
  ['more decimals than the asset has', { unit: 'ETH/USDC', amount: '0.0000001' }, 'invalid_request'],
  ['no reason', { reason: '' }, 'invalid_request'],
])('refuses a write-off with %s', async (_, change, code) => {
  const debtor = await newDebtor(500)
  expect(codeOf(await writeOff(debtor, 1, change))).toBe(code)
  const prepared = await ledger.asStaff(adjustments.prepareWriteOff, {
    body: { partner_customer_id: debtor, unit: 'EUR', amount: 1, reason, ...change },
  })
  expect(codeOf(prepared)).toBe(code)
  expect(await sumOf(`${debtor}:available`)).toBe(-500n)
})

test('writes off once for an Idempotency-Key, and refuses the key with another request', async () => {
  const debtor = await newDebtor(500)
  const [first, second] = await Promise.all([
    writeOff(debtor, 200, {}, 'write-off-1'),
    writeOff(debtor, 200, {}, 'write-off-1'),
  ])
  expect(second).toMatchObject({ value: first.ok ? first.value : null })
  expect(codeOf(await writeOff(debtor, 201, {}, 'write-off-1'))).toBe('idempotency_key_reuse')
  expect(await sumOf(`${debtor}:available`)).toBe(-300n)
})

test('never writes off more than is owed when 32 write-offs of 100 race for a debt of 1,000', async () => {
  const debtor = await newDebtor(1_000)
  const answers = await Promise.all(Array.from({ length: 32 }, () => writeOff(debtor, 100)))
  expect(answers.map(codeOf).filter((code) => code === 'done')).toHaveLength(10)
  expect(answers.map(codeOf).filter((code) => code === 'invalid_request')).toHaveLength(22)
  expect(await sumOf(`${debtor}:available`)).toBe(0n)
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})

test('prepares a write-off for a second person with any setting, unless it would be refused', async () => {
  const debtor = await newDebtor(500)
  const prepare = (amount: number) =>
    ledger.asStaff(adjustments.prepareWriteOff, {
      body: { partner_customer_id: debtor, unit: 'EUR', amount, reason },
    })
  expect(await prepare(500)).toMatchObject({ value: { before: null, groups: ['losses'] } })
  expect(await prepare(501)).toMatchObject(refusedAbove(500))
})

test('lists write-offs newest first in pages, without adjustments', async () => {
  const debtor = await newDebtor(500)
  await ledger.asStaff(adjustments.create, {
    body: { partner_customer_id: debtor, unit: 'EUR', amount: 100, reason },
  })
  for (const amount of [10, 20, 30]) expect(codeOf(await writeOff(debtor, amount))).toBe('done')
  const page = async (query: object) => {
    const answer = await ledger.asStaff(adjustments.listWriteOffs, { query })
    if (!answer.ok) throw new Error(answer.code)
    return answer.value
  }
  const first = await page({ limit: '2' })
  const second = await page({ limit: '1', cursor: first.next_cursor })
  expect([...first.write_offs, ...second.write_offs].map(({ amount }) => amount)).toEqual([30, 20, 10])
  const stored = await ledger.sql<{ id: string }>(
    "SELECT id FROM books.journal WHERE source = $1 AND rule = 'fact'",
    [first.write_offs[0]?.adjustment_id],
  )
  expect(stored).toEqual([{ id: first.write_offs[0]?.journal_id }])
  expect(await ledger.asStaff(adjustments.listWriteOffs, { query: { cursor: 'x' } })).toMatchObject({
    code: 'invalid_cursor',
  })
})
