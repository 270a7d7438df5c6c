import { queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { differences, paymentFiles, payouts, type LedgerDifference } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { findBankDifferences } from '../src/bank-statements/bank-differences.ts'
import { matchProcessorPayouts } from '../src/bank-statements/processor-payouts.ts'
import { takeOverdue } from '../src/bank-statements/store.ts'
import { compareBooks, readEnd, rebuildBooks } from '../src/rebuild/rebuild.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks } from './fixtures/books.ts'
import { destinationsOf } from './fixtures/destinations.ts'
import { DAY_MS, processorOf } from './fixtures/processor-payouts.ts'
import { serveSettledOrders } from './fixtures/settled-orders.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let name: string
let processor: ReturnType<typeof processorOf>
let tests = 0
beforeAll(async () => {
  const debtor = { name: 'Causeway Payments', iban: 'DE93999999990000000001' }
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 }, debtor })
  serveSettledOrders(ledger.bus, ledger.clock)
  await ledger.startReplica()
})
afterAll(() => ledger.stop())
beforeEach(async () => {
  name = `processor_${(tests += 1)}`
  processor = processorOf(ledger, name)
  await processor.bookPayment()
})

const list = async (status = 'open'): Promise<readonly LedgerDifference[]> => {
  const listed: LedgerDifference[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { status, limit: 100, ...(cursor !== undefined && { cursor }) }
    const answer = await ledger.asStaff(differences.list, { query })
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    listed.push(...answer.value.differences)
    cursor = answer.value.next_cursor
  }
  return listed.filter(({ source }) => source === 'bank:main')
}
const ofLine = async (lineId: string, status = 'open') =>
  (await list(status)).filter(({ line_id: id }) => id === lineId)
/** Waits for the difference of a line. */
const found = async (lineId: string, status = 'open'): Promise<LedgerDifference> => {
  await eventually(async () => (await ofLine(lineId, status)).length > 0)
  const [difference, ...others] = await ofLine(lineId, status)
  if (difference === undefined || others.length > 0) throw new Error(`${lineId}: not one difference`)
  return difference
}
const close = (difference: LedgerDifference, reason: string) =>
  ledger.asStaff(differences.close, {
    params: { differenceId: difference.difference_id },
    body: { reason },
  })
/** Debits of accounts less their credits. */
const debits = async () => {
  const sums = await ledger.sums()
  const of = (account: string) => -(sums[`${account} EUR`] ?? 0n)
  return { bank: of('bank:main'), suspense: of('suspense:EUR'), loss: of('cost:loss') }
}
type Debits = Awaited<ReturnType<typeof debits>>
/** Measures how debits changed since a moment. */
const changesSince = async (before: Debits): Promise<Debits> => {
  const now = await debits()
  return {
    bank: now.bank - before.bank,
    suspense: now.suspense - before.suspense,
    loss: now.loss - before.loss,
  }
}
const faults = () => verifyBooks(ledger.db.pooled, ledger.clock.now())

test('lists a bank line of an unknown reference, and ends the difference when the processor reports the payout', async () => {
  const before = await debits()
  await processor.importStatement(processor.lineOf('credit', 9_835))
  expect(await found(`${name}-credit`)).toMatchObject({
    ...{ kind: 'missing_here', source: 'bank:main', order_key: null, owner: null, status: 'open' },
    ...{ unit: 'EUR', expected: null, found: 9_835, found_unit: 'EUR' },
  })
  expect(await changesSince(before)).toEqual({ bank: 9_835n, suspense: -9_835n, loss: 0n })

  await processor.payOut()
  expect(await found(`${name}-credit`, 'matched')).toMatchObject({
    ended_at: expect.any(String),
    reason: null,
  })
  expect(await changesSince(before)).toEqual({ bank: 9_835n, suspense: 0n, loss: 0n })
  expect(await processor.inTransit()).toBe(0n)
  expect(await faults()).toEqual([])
})

test('keeps an unknown debit in suspense with its sign', async () => {
  const before = await debits()
  await processor.importStatement(`${name}-fees,${processor.today()},-700,EUR,Account fees,Bank`)
  expect(await found(`${name}-fees`)).toMatchObject({ kind: 'missing_here', expected: null, found: -700 })
  expect(await changesSince(before)).toEqual({ bank: -700n, suspense: 700n, loss: 0n })
})

test('posts each line once when the statement is imported repeatedly and replicas search simultaneously', async () => {
  const before = await debits()
  const rows = Array.from(
    { length: 300 },
    (_, at) => `${name}-${at},${processor.today()},${at + 1},EUR,Other,`,
  )
  const search = async () => {
    while (await findBankDifferences(ledger, ledger.clock.now()));
  }
  await Promise.all([
    ...Array.from({ length: 6 }, () => processor.importStatement(...rows)),
    ...Array.from({ length: 6 }, search),
  ])
  await eventually(async () => (await changesSince(before)).bank === 45_150n)
  await processor.importStatement(...rows)
  await search()
  expect(await changesSince(before)).toEqual({ bank: 45_150n, suspense: -45_150n, loss: 0n })
  const [row] = await ledger.sql(
    `SELECT count(*)::integer AS all, count(DISTINCT line_id)::integer AS lines FROM differences
     WHERE source = 'bank:main' AND line_id LIKE '${name}-%'`,
  )
  expect(row).toEqual({ all: 300, lines: 300 })
})

test('ends the difference of a payout’s debit once the upload of its file is confirmed', async () => {
  const payable = destinationsOf(ledger)
  const id = await payable.payOut(await payable.newDestination(10_000n))
  const before = await debits()
  const made = await ledger.asStaff(paymentFiles.create, { body: { unit: 'EUR' } })
  if (!made.ok) throw new Error(made.code)
  await processor.importStatement(`${name}-debit,2026-11-28,-1250,EUR,${id.replace('_', '-')},Muller`)
  await found(`${name}-debit`)
  await ledger.asStaff(paymentFiles.markUploaded, {
    params: { paymentFileId: made.value.payment_file.payment_file_id },
  })
  await found(`${name}-debit`, 'matched')
  expect(await changesSince(before)).toEqual({ bank: -1_250n, suspense: 0n, loss: 0n })
  const answer = await ledger.asStaff(payouts.get, { params: { payoutId: id } })
  expect(answer).toMatchObject({ value: { payout: { status: 'settled' } } })
  expect(await faults()).toEqual([])
})

test('lists a processor’s payout that the bank has not received after five days, and ends it when the line comes', async () => {
  await processor.importStatement(`${name}-first,${processor.today()},-1,EUR,First,`)
  await found(`${name}-first`)
  await processor.payOut()
  const [day, before] = [processor.today(), await debits()]
  const term = Date.parse(day) + 5 * DAY_MS
  // The replicas search by the clock, which continues: it stays before the term.
  ledger.clock.advance(term - 3_600_000 - ledger.clock.nowMs())
  await findBankDifferences(ledger, new Date(term - 1))
  expect(await ofLine(`${name}:L2`)).toEqual([])
  await Promise.all(Array.from({ length: 6 }, () => findBankDifferences(ledger, new Date(term))))
  expect(await found(`${name}:L2`)).toMatchObject({ kind: 'missing_there', expected: 9_835, found: null })
  expect(await changesSince(before)).toEqual({ bank: 0n, suspense: 9_835n, loss: 0n })
  expect(await processor.inTransit()).toBe(0n)

  await processor.importStatement(processor.lineOf('late', 9_835, { day }))
  await found(`${name}:L2`, 'matched')
  expect(await changesSince(before)).toEqual({ bank: 9_835n, suspense: 0n, loss: 0n })
  expect(await processor.inTransit()).toBe(0n)
  expect(await ofLine(`${name}-late`)).toEqual([])
})

test('expects no payout of the day before the first statement, in a database with the time of New York', async () => {
  await processor.importStatement(`${name}-first,${processor.today()},-1,EUR,First,`)
  await processor.payOut()
  const rolledBack = new Error('Rolled back')
  const setTimeZone = queryNone({
    name: 'test.set-time-zone',
    text: "SET LOCAL TIME ZONE 'America/New_York'",
  })
  const movePayout = queryNone({
    name: 'test.move-payout',
    parameters: { processor: 'text', daysBefore: 'integer' },
    text: `
      UPDATE settlement_lines
      SET available_on = (SELECT (min(booked_at) AT TIME ZONE 'UTC')::date FROM bank_lines) - :daysBefore
      WHERE processor = :processor AND kind = 'payout'`,
  })
  const take = ledger.db.transaction(async (tx) => {
    await setTimeZone(tx)
    const taken = async () =>
      (await takeOverdue(tx, { dueBefore: ledger.clock.now(), limit: 1_000 })).filter(
        (payout) => payout.processor === name,
      )
    await movePayout(tx, { processor: name, daysBefore: 1 })
    expect(await taken()).toEqual([])
    await movePayout(tx, { processor: name, daysBefore: 0 })
    expect(await taken()).toHaveLength(1)
    throw rolledBack
  })
  await expect(take).rejects.toBe(rolledBack)
})

test('compares a line of the bank no more once its difference is closed, and books it as a loss', async () => {
  const before = await debits()
  await processor.importStatement(processor.lineOf('credit', 9_835))
  const answer = await close(await found(`${name}-credit`), 'Interest')
  expect(answer).toMatchObject({ value: { difference: { status: 'closed', reason: 'Interest' } } })
  expect(await changesSince(before)).toEqual({ bank: 9_835n, suspense: 0n, loss: -9_835n })
  await processor.payOut()
  await processor.importStatement(processor.lineOf('other', 1))
  await found(`${name}-other`)
  expect(await processor.inTransit()).toBe(9_835n)
})

test('takes no line for a payout whose absence from the bank was closed', async () => {
  await processor.importStatement(`${name}-first,${processor.today()},-1,EUR,First,`)
  await processor.payOut()
  const before = await debits()
  const day = processor.today()
  ledger.clock.advance(6 * DAY_MS)
  await findBankDifferences(ledger, ledger.clock.now())
  expect((await close(await found(`${name}:L2`), 'Bankrupt')).ok).toBe(true)
  expect((await changesSince(before)).loss).toBe(9_835n)
  await processor.importStatement(processor.lineOf('late', 9_835, { day }))
  expect(await found(`${name}-late`)).toMatchObject({ kind: 'missing_here', found: 9_835 })
})

test('ends a difference either by its counterpart or by staff when both come simultaneously', async () => {
  const lines = Array.from({ length: 8 }, (_, at) => processorOf(ledger, `${name}_${at}`))
  const open: LedgerDifference[] = []
  for (const [at, each] of lines.entries()) {
    await each.bookPayment()
    await processor.importStatement(each.lineOf('credit', 9_835))
    open.push(await found(`${name}_${at}-credit`))
  }
  const before = await debits()
  for (const each of lines) await each.payOut()
  await Promise.all([
    ...open.map((difference) => close(difference, 'Race')),
    ...open.map(() => matchProcessorPayouts(ledger.db, ledger.clock.now())),
  ])
  const ended = async () => {
    const all = [...(await list('closed')), ...(await list('matched'))]
    return all.filter(({ line_id: id }) => id?.startsWith(`${name}_`))
  }
  await eventually(async () => (await ended()).length === 8)
  const closed = (await ended()).filter(({ status }) => status === 'closed').length
  expect(await changesSince(before)).toEqual({
    ...{ bank: 0n, suspense: 9_835n * 8n, loss: -9_835n * BigInt(closed) },
  })
  const inTransit = await Promise.all(lines.map((each) => each.inTransit()))
  expect(inTransit.filter((sum) => sum === 9_835n)).toHaveLength(closed)
  expect(await faults()).toEqual([])
})

test('rebuilds the postings of differences with the bank', async () => {
  const rebuilt = await openBooks()
  const through = await readEnd(ledger.db.pooled)
  await rebuildBooks({ sources: [], books: ledger.db.pooled }, { db: rebuilt.db, clock: ledger.clock })
  const differing = await compareBooks(ledger.db.pooled, rebuilt.db.pooled, through)
  expect(differing.filter((line) => line.includes(' settlement: '))).toEqual([])
  expect(differing.length).toBeGreaterThan(0)
  await rebuilt.close()
})
