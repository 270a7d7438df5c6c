import { newId, registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { DomainEvent } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { runOverdueCount, runVerification } from '../src/verification/jobs/verify-books.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { deposited, paid, timeOf } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

let payments = 0
/** A payment of another order and relationship each, so that tests do not share accounts. */
const newPaid = (change: Partial<ReturnType<typeof paid>> = {}) => {
  const number = String((payments += 1)).padStart(4, '0')
  return paid({
    fact_id: `card_paid:${number}`,
    partner_customer_id: newId('relationship'),
    at: ledger.clock.now().toISOString(),
    available_at: new Date(ledger.clock.nowMs() + 3_600_000).toISOString(),
    ...change,
  })
}
const eventOf = (facts: readonly object[], change: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newId('event'),
  name: 'payment.confirmed',
  created_at: ledger.clock.now().toISOString(),
  partners: [],
  merchant: null,
  fact: null,
  ledger_facts: facts.map((fact) => ({ ...fact })),
  ...change,
})
const balanceOf = async (fact: { partner_customer_id: string }, balance = 'pending') =>
  (await ledger.sums())[`${fact.partner_customer_id}:${balance} EUR`]
const becomes = (fact: ReturnType<typeof paid>, cents: bigint) =>
  eventually(async () => (await balanceOf(fact)) === cents)

test('posts the fact of a paid order once, although its event arrives twice', async () => {
  const fact = newPaid()
  await ledger.publishEvent(eventOf([fact]))
  await becomes(fact, 9_750n)
  await ledger.publishEvent(eventOf([fact]))
  const next = newPaid()
  await ledger.publishEvent(eventOf([next]))
  await becomes(next, 9_750n)
  expect(await balanceOf(fact)).toBe(9_750n)
  expect(await ledger.parked()).toEqual({})
})

test('posts a deposit’s move from the event’s own fields', async () => {
  const {
    kind: _kind,
    fact_id: _id,
    at: _at,
    ...move
  } = deposited({ partner_customer_id: newId('relationship') })
  await ledger.publishEvent(
    eventOf([], { name: 'deposit.moved', fact: { kind: 'deposit_move', deposit_move: move } }),
  )
  await eventually(async () => (await ledger.sums())['payers:open BTC/BTC'] === 50_000_000n)
})

test('ignores events without facts', async () => {
  const { ledger_facts: _none, ...without } = eventOf([])
  await ledger.publishEvent(without)
  const fact = newPaid()
  await ledger.publishEvent(eventOf([fact]))
  await becomes(fact, 9_750n)
})

describe('a batch with an invalid event', () => {
  const parkedWhile = async (wrong: DomainEvent): Promise<string | undefined> => {
    await ledger.publishEvent(wrong)
    const right = newPaid()
    await ledger.publishEvent(eventOf([right]))
    await becomes(right, 9_750n)
    return eventually(async () => (await ledger.parked())[wrong.id])
  }

  test('is posted without an event whose fact does not match its schema, which is parked', async () => {
    const wrong = eventOf([newPaid(), { ...newPaid(), total_cents: -1 }])
    expect(await parkedWhile(wrong)).toMatch(/^This fact does not match its schema: total_cents: /)
  })

  test('is posted without an event whose fact is of an unknown kind, which is parked', async () => {
    expect(await parkedWhile(eventOf([{ kind: 'of_a_later_version' }]))).toMatch(/schema: kind: /)
  })

  test('is posted without an event whose fact was posted before with other content, which is parked', async () => {
    const fact = newPaid()
    await ledger.publishEvent(eventOf([fact]))
    await becomes(fact, 9_750n)
    const reason = await parkedWhile(eventOf([{ ...fact, total_cents: 20_000 }]))
    expect(reason).toContain(`posted before with other content: ${fact.fact_id} fact`)
    expect(await balanceOf(fact)).toBe(9_750n)
  })
})

test('catches up with the events from before its start', async () => {
  await ledger.stopReplicas()
  const relationship = newId('relationship')
  const facts = Array.from({ length: 300 }, () => newPaid({ partner_customer_id: relationship }))
  for (const fact of facts) await ledger.publishEvent(eventOf([fact]))
  await ledger.startReplica()
  const [fact] = facts
  if (fact) await becomes(fact, 300n * 9_750n)
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})

test('counts releases that are overdue', async () => {
  const gauge = async () =>
    (await registry.getSingleMetric('causeway_ledger_overdue_postings')?.get())?.values[0]?.value
  await ledger.stopReplicas()
  const at = (minutes: number) => new Date(ledger.clock.nowMs() + minutes * 60_000)
  await postFacts(ledger, [newPaid({ available_at: at(1).toISOString() })])
  const countAt = async (now: Date) => {
    await runOverdueCount({ db: ledger.db, clock: { ...ledger.clock, nowMs: () => now.getTime() } })
    return gauge()
  }
  const [before, after] = [await countAt(at(1.5)), await countAt(at(2.1))]
  expect([before, after]).toEqual([0, 1])
  await ledger.startReplica()
})

test('reports wrong books by a gauge and in the log', async () => {
  const gauge = async () =>
    (await registry.getSingleMetric('causeway_ledger_faults')?.get())?.values[0]?.value
  await postFacts({ db: ledger.db, clock: ledger.clock }, [newPaid({ available_at: timeOf(900) })])
  const logged: unknown[] = []
  const log = {
    ...ledger.log,
    warn: () => undefined,
    error: (fields: object) => void logged.push(fields),
  } as never
  await runVerification({ db: ledger.db, clock: ledger.clock, log })
  expect([await gauge(), logged]).toEqual([0, []])
  await ledger.sql(
    'UPDATE books.balances SET amount = amount + 1 WHERE account_id = (SELECT min(account_id) FROM books.balances)',
  )
  await runVerification({ db: ledger.db, clock: ledger.clock, log })
  expect(await gauge()).toBe(1)
  expect(logged).toMatchObject([{ event: 'ledger.fault', fault: expect.stringContaining('entries sum to') }])
})
