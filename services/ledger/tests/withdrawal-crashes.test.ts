import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { destinationsOf, type Destinations } from './fixtures/destinations.ts'
import { killAtWrite, withBothEnds } from './fixtures/kill-at-write.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let customers: Destinations
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
  customers = destinationsOf(ledger)
})
afterAll(() => ledger.stop())

/** Every table that a withdrawal writes to, in its order. */
const WRITTEN = ['idempotency_keys', 'books.journal', 'books.payouts', 'payouts', 'outbox_events'] as const

test.each(withBothEnds(WRITTEN))(
  'pays what the balance covers, once, when 32 racing withdrawals are killed at a write to %s (%s)',
  async (table, end) => {
    const destination = await customers.newDestination(10_500n)
    const keys = Array.from({ length: 32 }, () => newId('request'))
    /** The ids of the payouts, or the codes of the refusals. */
    const withdrawAll = () =>
      Promise.all(
        keys.map(async (key) => {
          const answer = await customers.withdraw(destination, {}, key)
          return answer.ok ? answer.value.payout.payout_id : answer.code
        }),
      )
    await killAtWrite(ledger, table, end, withdrawAll)
    const answers = await withdrawAll()
    expect(answers.filter((answer) => answer === 'amount_exceeds_available')).toHaveLength(22)
    expect(await withdrawAll()).toEqual(answers)
    expect(await customers.sumsOf(destination)).toEqual([500n, 10_000n])
    const payouts = (await customers.payoutsOf(destination)).map(({ payout_id: id }) => String(id))
    expect(payouts.toSorted()).toEqual(answers.filter((answer) => answer.startsWith('pay_')).toSorted())
    expect(payouts).toHaveLength(10)
    const events = (await ledger.events()).filter((event) =>
      JSON.stringify(event).includes(destination.customerId),
    )
    expect(events.filter(({ name }) => name === 'payout.upcoming')).toHaveLength(10)
    expect(await verifyBooks(ledger.db.pooled, new Date())).toEqual([])
  },
)
