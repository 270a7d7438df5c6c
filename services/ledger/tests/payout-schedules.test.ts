import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { askFees } from './fixtures/fake-payments.ts'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { runDueSchedules } from '../src/payout-schedule/jobs/run-due.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const DAY_MS = 86_400_000
/** The ledger's own clock never reaches these days. */
const START = Date.parse('2090-01-02T00:00:00Z')

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const dayOf = (day: number, hours = 0) => new Date(START + day * DAY_MS + hours * 3_600_000)
const earn = (ownerId: string, amount: bigint, at: Date) => {
  const posting = adjustmentPosting({ ownerId, unit: 'EUR', amount }, newId('adjustment'), at)
  return postBatch(ledger.db.pooled, { postings: [posting] }, at)
}
/** A relationship with a daily schedule that is due next on a day. */
const newCustomer = async (day: number, { minimum = 0, held = false } = {}) => {
  const id = newId('relationship')
  await ledger.sql(
    `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, held, version)
     VALUES ($1, $2, $3, 'active', '{payouts}', $4, 1)`,
    [id, newId('partner'), newId('merchant'), held],
  )
  await ledger.sql(
    `INSERT INTO payout_schedules (partner_customer_id, unit, interval, minimum, due_at) VALUES ($1, 'EUR', 'daily', $2, $3)`,
    [id, minimum, dayOf(day)],
  )
  return id
}
const runAt = (at: Date, ask = askFees()) =>
  runDueSchedules({ db: ledger.db, ask, clock: { now: () => at }, cutOffMs: 0 })
const paidTo = (id: string) =>
  ledger.sql<{ amount: string; status: string; interval: string }>(
    `SELECT amount_cents::text AS amount, status, schedule ->> 'interval' AS interval FROM payouts
     WHERE owner_id = $1 ORDER BY created_at`,
    [id],
  )
const scheduleOf = (id: string) =>
  ledger.sql('SELECT due_at, last_due_at FROM payout_schedules WHERE partner_customer_id = $1', [id])

test('pays what was available at the instant, once for many replicas and once after an outage', async () => {
  const id = await newCustomer(1)
  await earn(id, 500n, dayOf(0, 1))
  await runAt(dayOf(0, 23))
  expect(await paidTo(id)).toEqual([])
  await earn(id, 30n, dayOf(3, 1))
  await Promise.all([runAt(dayOf(3, 2)), runAt(dayOf(3, 2)), runAt(dayOf(3, 2))])
  const first = { amount: '500', status: 'upcoming', interval: 'daily' }
  expect(await paidTo(id)).toEqual([first])
  expect(await scheduleOf(id)).toEqual([{ due_at: dayOf(4), last_due_at: dayOf(3) }])
  await runAt(dayOf(4))
  await runAt(dayOf(4, 1))
  expect(await paidTo(id)).toEqual([first, { ...first, amount: '30' }])
  const told = (await ledger.events()).filter((event) => JSON.stringify(event).includes(id))
  expect(told.map(({ name }) => name)).toEqual(['payout.upcoming', 'payout.upcoming'])
  expect(await verifyBooks(ledger.db.pooled, dayOf(5))).toEqual([])
})

test('pays nothing below the minimum or on hold, and continues with the next instant', async () => {
  const small = await newCustomer(10, { minimum: 100 })
  const held = await newCustomer(10, { held: true })
  for (const id of [small, held]) await earn(id, 99n, dayOf(9, 1))
  await runAt(dayOf(10, 1))
  for (const id of [small, held]) {
    expect(await paidTo(id)).toEqual([])
    expect(await scheduleOf(id)).toEqual([{ due_at: dayOf(11), last_due_at: dayOf(10) }])
  }
  await earn(small, 1n, dayOf(10, 2))
  await runAt(dayOf(11, 1))
  expect((await paidTo(small)).map(({ amount }) => amount)).toEqual(['100'])
})

test('charges the fee of the price plan, and runs no schedule while payments cannot state it', async () => {
  const id = await newCustomer(15)
  await earn(id, 500n, dayOf(14, 1))
  const away = () => Promise.resolve({ ok: false, code: 'temporarily_unavailable' } as const)
  await expect(runAt(dayOf(15, 1), away)).rejects.toThrow('temporarily_unavailable')
  expect(await paidTo(id)).toEqual([])
  await runAt(dayOf(15, 2), askFees({ [id]: 25 }))
  expect((await paidTo(id)).map(({ amount }) => amount)).toEqual(['475'])
})

test('runs the others when one schedule fails, and reports the failure', async () => {
  const [broken, other] = [await newCustomer(20), await newCustomer(20)]
  for (const id of [broken, other]) await earn(id, 50n, dayOf(19, 1))
  await ledger.sql(
    "UPDATE payout_schedules SET interval = 'weekly', weekday = 'never' WHERE partner_customer_id = $1",
    [broken],
  )
  await expect(runAt(dayOf(20, 1))).rejects.toThrow()
  expect([await paidTo(broken), (await paidTo(other)).map(({ amount }) => amount)]).toEqual([[], ['50']])
})
