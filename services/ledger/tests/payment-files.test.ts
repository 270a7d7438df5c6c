import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { paymentFiles, payouts, payoutWallets, type PaymentFile } from '@causeway/contracts'
import { readPaymentFile } from '@causeway/rails/bank'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { takeStep } from '../src/payouts/steps.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { destinationsOf, type Destinations } from './fixtures/destinations.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const DEBTOR = { name: 'Causeway Payments', iban: 'DE93999999990000000001' }

let ledger: RunningLedger
let payable: Destinations
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 }, debtor: DEBTOR })
  payable = destinationsOf(ledger)
})
afterAll(() => ledger.stop())
/** Each test begins without a payout that waits for a file. */
beforeEach(async () => {
  await make()
})

const make = (idempotencyKey?: string) =>
  ledger.asStaff(paymentFiles.create, { body: { unit: 'EUR' }, ...(idempotencyKey && { idempotencyKey }) })
const made = async (): Promise<PaymentFile> => {
  const answer = await make()
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payment_file
}
const upload = ({ payment_file_id: paymentFileId }: PaymentFile) =>
  ledger.asStaff(paymentFiles.markUploaded, { params: { paymentFileId } })
const get = async ({ payment_file_id: paymentFileId }: PaymentFile): Promise<PaymentFile> => {
  const answer = await ledger.asStaff(paymentFiles.get, { params: { paymentFileId } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payment_file
}
const tokenOf = ({ url }: PaymentFile): string => url?.split('/').at(-1) ?? ''
const download = (token: string) =>
  ledger.ask(paymentFiles.getFile, { kind: 'public' }, { params: { token } })
const contentOf = async (file: PaymentFile): Promise<string> => {
  const answer = await download(tokenOf(await get(file)))
  if (!answer.ok) throw new Error(answer.code)
  return Buffer.from(answer.value.content_base64, 'base64').toString()
}
const cancel = (payoutId: string) => ledger.asStaff(payouts.cancel, { params: { payoutId } })
const statusOf = async (payoutId: string) => {
  const answer = await ledger.asStaff(payouts.get, { params: { payoutId } })
  return answer.ok ? answer.value.payout.status : answer.code
}
const eventsOf = async (payoutId: string) =>
  (await ledger.events()).filter((event) => JSON.stringify(event).includes(payoutId))
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('writes every upcoming payout to an IBAN into one file, with account, name, amount and reference', async () => {
  const destination = await payable.newDestination(100_000n)
  const ids = [
    await payable.payOut(destination, { reference: 'Müller 7' }),
    await payable.payOut(destination, { amount_cents: 1 }),
  ]
  const file = await made()
  expect(file).toEqual({
    payment_file_id: expect.stringMatching(/^pfl_/),
    unit: 'EUR',
    payout_ids: ids.toSorted(),
    total_cents: 1_251,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    status: 'made',
    created_at: expect.any(String),
    uploaded_at: null,
    url: null,
    expires_at: null,
  })
  const content = await contentOf(file)
  expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256)
  const to = { iban: 'DE89370400440532013000', name: 'Muller + Sohne' }
  const [first = '', second = ''] = ids.map((id) => id.replace('_', '-'))
  expect(readPaymentFile(content)).toEqual({
    messageId: file.payment_file_id.replace('_', '-'),
    payments: expect.arrayContaining([
      { endToEndId: first, amountCents: 1_250n, ...to, reference: 'Muller 7' },
      { endToEndId: second, amountCents: 1n, ...to, reference: second },
    ]),
  })
  expect(content).toContain(DEBTOR.iban)
})

test('marks the payouts of a file as sent once it is uploaded, and changes nothing the second time', async () => {
  const destination = await payable.newDestination(100_000n)
  const ids = [await payable.payOut(destination), await payable.payOut(destination)]
  const file = await made()
  const answers = await Promise.all([upload(file), upload(file)])
  expect(answers).toMatchObject([
    { ok: true, value: { payment_file: { status: 'uploaded', uploaded_at: expect.any(String) } } },
    { ok: true, value: { payment_file: { status: 'uploaded' } } },
  ])
  expect(await upload(file)).toMatchObject({ ok: true })
  for (const id of ids) {
    expect(await statusOf(id)).toBe('sent')
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['payout.upcoming', 'payout.sent'])
  }
  expect(await faults()).toEqual([])
})

test('puts each payout into one of the files that are made simultaneously', async () => {
  const destination = await payable.newDestination(100_000n)
  const ids = await Promise.all(Array.from({ length: 6 }, () => payable.payOut(destination)))
  const answers = await Promise.all(Array.from({ length: 8 }, () => make()))
  const files = answers.flatMap((answer) => (answer.ok ? [answer.value.payment_file] : []))
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [[answer.code, answer.details]]))
  expect(files.flatMap(({ payout_ids: payoutIds }) => payoutIds).toSorted()).toEqual(ids.toSorted())
  expect(refused).toEqual(Array.from({ length: 8 - files.length }, () => ['invalid_state', [{ payouts: 0 }]]))
})

test('finds the same file by the idempotency key, and refuses the key for another unit', async () => {
  await payable.payOut(await payable.newDestination(100_000n))
  const key = newId('request')
  const [first, second] = [await make(key), await make(key)]
  expect(first).toMatchObject({ ok: true })
  expect(second.ok && second.value).toEqual(first.ok && first.value)
  const other = { body: { unit: 'USD' as const }, idempotencyKey: key }
  expect(await ledger.asStaff(paymentFiles.create, other)).toMatchObject({ code: 'idempotency_key_reuse' })
})

test('refuses to cancel a payout, or to mark it as sent, that is in a file', async () => {
  const id = await payable.payOut(await payable.newDestination(100_000n))
  const { payment_file_id } = await made()
  expect(await cancel(id)).toMatchObject({
    code: 'invalid_state',
    details: [{ from: 'upcoming', to: 'cancelled', payment_file_id }],
  })
  expect(await ledger.asStaff(payouts.markSent, { params: { payoutId: id } })).toMatchObject({
    code: 'invalid_state',
    details: [{ from: 'upcoming', to: 'sent', payment_file_id }],
  })
  expect(await statusOf(id)).toBe('upcoming')
})

test('cancels a payout, or puts it into the file that is made at the same time, but not both', async () => {
  const destination = await payable.newDestination(100_000n)
  for (let round = 0; round < 8; round += 1) {
    const id = await payable.payOut(destination)
    const [cancelled, file] = await Promise.all([cancel(id), make()])
    expect(cancelled.ok).toBe(!file.ok)
    expect(await statusOf(id)).toBe(cancelled.ok ? 'cancelled' : 'upcoming')
  }
  expect(await faults()).toEqual([])
})

test('leaves out payouts that were cancelled or sent, that go nowhere known, or whose destination was refused', async () => {
  const destination = await payable.newDestination(100_000n)
  const [cancelled, sent] = [await payable.payOut(destination), await payable.payOut(destination)]
  expect((await cancel(cancelled)).ok).toBe(true)
  expect((await ledger.asStaff(payouts.markSent, { params: { payoutId: sent } })).ok).toBe(true)
  const body = { customer_id: destination.merchantId, amount_cents: 100, currency: 'EUR' as const }
  const announced = { ...body, scheduled_for: '2026-12-01T00:00:00.000Z' }
  await eventually(async () => (await ledger.asStaff(payouts.announce, { body: announced })).ok)
  const refused = await payable.newDestination(100_000n)
  await payable.payOut(refused)
  const params = { payoutWalletId: refused.payoutWalletId }
  await ledger.asStaff(payoutWallets.refuse, { params, body: { reason: 'Not its own' } })
  expect(await make()).toMatchObject({ code: 'invalid_state', details: [{ payouts: 0 }] })
})

test('pays a destination that was deleted after the payout was made, and keeps its account until then', async () => {
  const destination = await payable.newDestination(100_000n)
  const id = await payable.payOut(destination)
  const params = { customerId: destination.customerId, payoutWalletId: destination.payoutWalletId }
  await ledger.asPartner(payoutWallets.delete, destination.partnerId, { params })
  expect((await made()).payout_ids).toEqual([id])
})

test('makes a second file of what exceeds 500 payouts', async () => {
  const destination = await payable.newDestination(100_000n)
  const id = await payable.payOut(destination)
  const row = "SELECT * FROM payouts WHERE payout_id = '" + id + "'"
  expect(await ledger.sql(row)).toHaveLength(1)
  await Promise.all(Array.from({ length: 500 }, () => payable.payOut(destination, { amount_cents: 1 })))
  const file = await made()
  expect(file.payout_ids).toHaveLength(500)
  expect((await contentOf(file)).length).toBeLessThan(700_000)
  expect((await made()).payout_ids).toHaveLength(1)
  expect((await upload(file)).ok).toBe(true)
})

test('erases the accounts in a file, and its key, once each of its payouts is settled or returned', async () => {
  const destination = await payable.newDestination(100_000n)
  const [first, second] = [await payable.payOut(destination), await payable.payOut(destination)]
  const file = await made()
  const token = tokenOf(await get(file))
  await upload(file)
  const now = ledger.clock.now()
  const step = (payoutId: string, change: object) =>
    ledger.db.transaction((tx) => takeStep(tx, { payoutId, at: now, step: 'settled', ...change }, now))
  await step(first, { counterpart: 'bank:main' })
  expect((await download(token)).ok).toBe(true)
  await step(second, { step: 'returned', returnReason: 'Account closed' })
  await eventually(async () => !(await download(token)).ok)
  expect(await get(file)).toMatchObject({ url: null, expires_at: null, sha256: file.sha256 })
  const keys = `SELECT FROM data_keys WHERE subject = '${file.payment_file_id}'`
  expect(await ledger.sql(keys)).toEqual([])
})

test('keeps accounts and names out of its rows, answers and events', async () => {
  await payable.payOut(await payable.newDestination(10_000n, 'Secret Holder'))
  const file = await made()
  await upload(file)
  const texts = [
    JSON.stringify(file),
    JSON.stringify(await ledger.sql('SELECT * FROM payment_files')),
    JSON.stringify(await ledger.sql('SELECT * FROM payouts')),
    JSON.stringify(await ledger.events()),
  ]
  for (const text of texts) expect(text).not.toMatch(/Secret Holder|370400440532013000/)
})

test('gives no file for a token that is forged, expired or of another file', async () => {
  await payable.payOut(await payable.newDestination(100_000n))
  const [id, expires, mac] = tokenOf(await get(await made())).split('.')
  await payable.payOut(await payable.newDestination(100_000n))
  const other = await made()
  for (const token of ['', 'x', `${id}.${expires}.AAAA`, `${other.payment_file_id}.${expires}.${mac}`])
    expect(await download(token)).toMatchObject({ code: 'resource_not_found' })
})

test('lists files newest first', async () => {
  const destination = await payable.newDestination(100_000n)
  const files = []
  for (let at = 0; at < 3; at += 1) {
    await payable.payOut(destination)
    files.unshift(await made())
  }
  const first = await ledger.asStaff(paymentFiles.list, { query: { limit: '2' } })
  if (!first.ok) throw new Error(first.code)
  expect(first.value.payment_files).toEqual(files.slice(0, 2))
  const query = { limit: '1', cursor: first.value.next_cursor ?? '' }
  expect(await ledger.asStaff(paymentFiles.list, { query })).toMatchObject({
    value: { payment_files: [files[2]] },
  })
})

test('refuses to put a payout into two files, or to cancel it in one, also by a direct call of the books', async () => {
  const id = await payable.payOut(await payable.newDestination(100_000n))
  await made()
  const put = (file: string, unit = 'EUR') =>
    ledger.sql('SELECT * FROM books.put_into_file($1, $2, $3)', [file, unit, [id]])
  await expect(put('pfl_stolen')).rejects.toMatchObject({ code: '23505' })
  const step = "SELECT books.step_payout($1, 'cancelled', NULL, now(), '[]', NULL, now())"
  await expect(ledger.sql(step, [id])).rejects.toMatchObject({ code: 'LB003' })
  await payable.payOut(await payable.newDestination(100_000n))
  const [next] = await ledger.sql<{ id: string }>(
    "SELECT payout_id AS id FROM payouts WHERE payment_file_id IS NULL AND status = 'upcoming' AND payout_wallet_id IS NOT NULL",
  )
  await expect(
    ledger.sql('SELECT * FROM books.put_into_file($1, $2, $3)', ['pfl_x', 'USD', [next?.id]]),
  ).rejects.toMatchObject({ code: 'LB003' })
})
