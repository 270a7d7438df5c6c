import { newId } from '@causeway/chassis'
import {
  createWriteBlocker,
  eventually,
  killNow,
  makeStreams,
  type WriteBlocker,
} from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ChildProcess } from 'node:child_process'
import { verifyBooks } from '../src/verification/verify.ts'
import { paid } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const DUE_SOON_MS = 10_000

let ledger: RunningLedger
let blocker: WriteBlocker
let child: ChildProcess
beforeAll(async () => {
  ledger = await startForTests()
  await ledger.stopReplicas()
  blocker = await createWriteBlocker(ledger.config.databaseUrl, 'books.journal')
})
afterAll(async () => {
  await blocker.close()
  await ledger.startReplica()
  await ledger.stop()
})

/** Publishes the payment of another order, which is available after a time. */
const publishPaid = async (availableAfterMs = 3_600_000) => {
  const fact = paid({
    fact_id: newId('event'),
    partner_customer_id: newId('relationship'),
    at: ledger.clock.now().toISOString(),
    available_at: new Date(ledger.clock.nowMs() + availableAfterMs).toISOString(),
  })
  await ledger.publishEvent({
    id: newId('event'),
    name: 'payment.confirmed',
    created_at: fact.at,
    partners: [],
    merchant: null,
    fact: null,
    ledger_facts: [{ ...fact }],
  })
  return fact
}
const balancesOf = async ({ partner_customer_id: owner }: { partner_customer_id: string }) => {
  const sums = await ledger.sums()
  return [sums[`${owner}:pending EUR`], sums[`${owner}:available EUR`]]
}
/** True if no event is on its way to the ledger: one that is redelivered would reach the blocker before the release. */
const isAcknowledged = async (): Promise<boolean> => {
  const manager = await ledger.bus.jetstreamManager()
  const { num_ack_pending: unacknowledged, num_pending: undelivered } = await manager.consumers.info(
    'EVENTS',
    'ledger-facts',
  )
  return unacknowledged === 0 && undelivered === 0
}
/** Another process takes over, and the stream redelivers every event: the posting of a later payment shows that it has. */
const takeOver = async (): Promise<void> => {
  const manager = await ledger.bus.jetstreamManager()
  await manager.consumers.delete('EVENTS', 'ledger-facts')
  await makeStreams(ledger.bus)
  child = await ledger.startProcess()
  const later = await publishPaid()
  await eventually(async () => (await balancesOf(later))[0] === 9_750n)
  await killNow(child)
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
}

test('posts a fact once when the ledger is killed before its posting is committed', async () => {
  child = await ledger.startProcess()
  await blocker.begin()
  const fact = await publishPaid()
  await blocker.reached()
  await killNow(child)
  await blocker.breakOff()
  expect(await balancesOf(fact)).toEqual([undefined, undefined])

  await takeOver()
  expect(await balancesOf(fact)).toEqual([9_750n, undefined])
})

test('posts a fact once when the ledger is killed after its posting is committed and before it acknowledges', async () => {
  child = await ledger.startProcess()
  await blocker.begin()
  const fact = await publishPaid()
  await blocker.reached()
  await killNow(child)
  await blocker.release()
  await eventually(async () => (await balancesOf(fact))[0] === 9_750n)

  await takeOver()
  expect(await balancesOf(fact)).toEqual([9_750n, undefined])
})

test.each([
  ['before', 'breakOff'],
  ['after', 'release'],
] as const)(
  'releases a payment once when the ledger is killed %s the release is committed',
  async (_, end) => {
    child = await ledger.startProcess()
    await eventually(isAcknowledged)
    const fact = await publishPaid(DUE_SOON_MS)
    await eventually(async () => (await balancesOf(fact))[0] === 9_750n && (await isAcknowledged()))
    await blocker.begin()
    await blocker.reached()
    await killNow(child)
    await blocker[end]()
    if (end === 'release') await eventually(async () => (await balancesOf(fact))[1] === 9_750n)
    else expect(await balancesOf(fact)).toEqual([9_750n, undefined])

    child = await ledger.startProcess()
    await eventually(async () => (await balancesOf(fact))[1] === 9_750n)
    await killNow(child)
    await takeOver()
    expect(await balancesOf(fact)).toEqual([undefined, 9_750n])
  },
)
