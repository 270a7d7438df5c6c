import { registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { matchProcessorPayouts } from '../src/bank-statements/processor-payouts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { DAY_MS, processorOf } from './fixtures/processor-payouts.ts'
import { serveSettledOrders } from './fixtures/settled-orders.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let processor: ReturnType<typeof processorOf>
let tests = 0
beforeAll(async () => {
  ledger = await startForTests()
  serveSettledOrders(ledger.bus, ledger.clock)
})
afterAll(() => ledger.stop())
beforeEach(async () => {
  processor = processorOf(ledger, `processor_${(tests += 1)}`)
  await processor.bookPayment()
})

const match = () => matchProcessorPayouts(ledger.db, ledger.clock.now())
/** The debits of the bank's account less its credits, without what is in suspense. */
const atBank = async () => {
  const sums = await ledger.sums()
  return -(sums['bank:main EUR'] ?? 0n) - (sums['suspense:EUR'] ?? 0n)
}

test('books a processor’s payout at the bank once, whichever side comes first and however often', async () => {
  const { payOut, importStatement, lineOf, inTransit } = processor
  const before = await atBank()
  await importStatement(lineOf('credit', 9_835))
  await match()
  await payOut()
  await Promise.all(Array.from({ length: 8 }, () => match()))
  await importStatement(lineOf('again', 9_835))
  await match()
  await eventually(async () => (await atBank()) - before === 9_835n)
  expect(await inTransit()).toBe(0n)
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})

test('leaves a payout in transit that the bank states with another amount or currency, and counts its age', async () => {
  const { payOut, importStatement, lineOf, inTransit, today } = processor
  await payOut()
  await importStatement(lineOf('less', 9_834), lineOf('dollars', 9_835, { currency: 'USD' }))
  const day = today()
  ledger.clock.advance(3 * DAY_MS)
  await match()
  expect(await inTransit()).toBe(9_835n)
  const days = async () => {
    const gauge = await registry.getSingleMetric('causeway_ledger_in_transit_age_seconds')?.get()
    return Math.floor(((gauge?.values[0]?.value ?? 0) * 1_000) / DAY_MS)
  }
  await eventually(async () => (await days()) === 3)

  await importStatement(lineOf('whole', 9_835, { day }))
  await eventually(async () => (await inTransit()) === 0n)
  await eventually(async () => (await days()) === 0)
})
