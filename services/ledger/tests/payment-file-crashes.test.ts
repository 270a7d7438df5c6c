import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { bankStatements, paymentFiles, payouts } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { destinationsOf, type Destinations } from './fixtures/destinations.ts'
import { killAtWrite, withBothEnds, type ENDS } from './fixtures/kill-at-write.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let payable: Destinations
beforeAll(async () => {
  const debtor = { name: 'Causeway Payments', iban: 'DE93999999990000000001' }
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 }, debtor })
  payable = destinationsOf(ledger)
})
afterAll(() => ledger.stop())

const make = async (idempotencyKey: string) => {
  const answer = await ledger.asStaff(paymentFiles.create, { body: { unit: 'EUR' }, idempotencyKey })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payment_file
}
const upload = (paymentFileId: string) =>
  ledger.asStaff(paymentFiles.markUploaded, { params: { paymentFileId } })
const importDebits = (ids: readonly string[]) => {
  const rows = ids.map((id) => `debit ${id},2026-11-28,-1250,EUR,${id.replace('_', '-')},`)
  const csv = ['line_id,booked_at,amount_cents,currency,reference,counterparty', ...rows].join('\n')
  return ledger.asStaff(bankStatements.importFile, { body: { csv } })
}
const statusesOf = (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (payoutId) => {
      const answer = await ledger.asStaff(payouts.get, { params: { payoutId } })
      return answer.ok ? answer.value.payout.status : answer.code
    }),
  )
const eventsOf = async (payoutId: string) =>
  (await ledger.events()).filter((event) => JSON.stringify(event).includes(payoutId)).map(({ name }) => name)

const killAt = (table: string, end: (typeof ENDS)[number], act: () => Promise<unknown>) =>
  killAtWrite(ledger, table, end, act)

test.each(
  withBothEnds(['idempotency_keys', 'books.payment_file_items', 'data_keys', 'payment_files', 'payouts']),
)('puts each payout into one file when the making is killed at a write to %s (%s)', async (table, end) => {
  const destination = await payable.newDestination(100_000n)
  const ids = [await payable.payOut(destination), await payable.payOut(destination)]
  const key = newId('request')
  await killAt(table, end, () => make(key))
  const file = await make(key)
  expect(file.payout_ids.toSorted()).toEqual(ids.toSorted())
  expect(await make(key)).toEqual(file)
  const items = 'SELECT payout_id FROM books.payment_file_items WHERE payout_id = ANY ($1)'
  expect(await ledger.sql(items, [ids])).toHaveLength(2)
})

test.each(withBothEnds(['payment_files', 'payouts', 'books.payout_steps', 'outbox_events']))(
  'sends all payouts of a file once when the confirmation of its upload is killed at a write to %s (%s)',
  async (table, end) => {
    const destination = await payable.newDestination(100_000n)
    const ids = [await payable.payOut(destination), await payable.payOut(destination)]
    const { payment_file_id: id } = await make(newId('request'))
    await killAt(table, end, () => upload(id))
    expect(new Set(await statusesOf(ids)).size).toBe(1)
    await upload(id)
    expect(await statusesOf(ids)).toEqual(['sent', 'sent'])
    for (const payoutId of ids) expect(await eventsOf(payoutId)).toEqual(['payout.upcoming', 'payout.sent'])
    expect(await verifyBooks(ledger.db.pooled, new Date())).toEqual([])
  },
)

test.each(withBothEnds(['bank_lines', 'books.payout_steps', 'books.journal', 'outbox_events']))(
  'settles payouts once when the import, or what follows it, is killed at a write to %s (%s)',
  async (table, end) => {
    const destination = await payable.newDestination(100_000n)
    const ids = [await payable.payOut(destination), await payable.payOut(destination)]
    const { payment_file_id: id } = await make(newId('request'))
    await upload(id)
    await killAt(table, end, () => importDebits(ids))
    await importDebits(ids)
    await eventually(async () => (await statusesOf(ids)).every((status) => status === 'settled'))
    for (const payoutId of ids)
      expect(await eventsOf(payoutId)).toEqual(['payout.upcoming', 'payout.sent', 'payout.settled'])
    expect(await verifyBooks(ledger.db.pooled, new Date())).toEqual([])
  },
)
