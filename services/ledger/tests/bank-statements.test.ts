import { eventually } from '@causeway/chassis/testing'
import { bankStatements, paidOut, paymentFiles, payouts, type ImportReport } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { destinationsOf, type Destination, type Destinations } from './fixtures/destinations.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let payable: Destinations
beforeAll(async () => {
  const debtor = { name: 'Causeway Payments', iban: 'DE93999999990000000001' }
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 }, debtor })
  payable = destinationsOf(ledger)
})
afterAll(() => ledger.stop())

const HEADER = 'line_id,booked_at,amount_cents,currency,reference,counterparty'
const csvOf = (...rows: readonly string[]) => ({ csv: [HEADER, ...rows].join('\n') })
const entryOf = (id: string, amount: string, direction: string, details: string) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
   <BookgDt><Dt>2026-11-28</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef>
   <NtryDtls><TxDtls>${details}</TxDtls></NtryDtls></Ntry>`
const camtOf = (...entries: readonly string[]) => ({
  xml: `<?xml version="1.0" encoding="UTF-8"?>
   <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt>
   </BkToCstmrStmt></Document>`,
})
const referenceOf = (payoutId: string): string => payoutId.replace('_', '-')

const importFile = (body: { csv: string } | { xml: string }) =>
  ledger.asStaff(bankStatements.importFile, { body })
const imported = async (body: { csv: string } | { xml: string }): Promise<ImportReport> => {
  const answer = await importFile(body)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
/** A payout of EUR 12.50 in a file, whose upload is confirmed unless it is left out. */
const newPayout = async ({ isUploaded = true } = {}) => {
  const destination = await payable.newDestination(10_000n)
  const id = await payable.payOut(destination)
  const made = await ledger.asStaff(paymentFiles.create, { body: { unit: 'EUR' } })
  if (!made.ok) throw new Error(made.code)
  const params = { paymentFileId: made.value.payment_file.payment_file_id }
  const upload = () => ledger.asStaff(paymentFiles.markUploaded, { params })
  if (isUploaded) await upload()
  return { ...destination, id, upload, debit: debitOf(id), credit: creditOf(id) }
}
const debitOf = (id: string, amount = -1_250, lineId = `debit ${id}`) =>
  `${lineId},2026-11-28,${amount},EUR,${referenceOf(id)},Muller`
const creditOf = (id: string, amount = 1_250, lineId = `credit ${id}`) =>
  `${lineId},2026-11-29,${amount},EUR,${referenceOf(id)},Muller`
const payoutOf = async (payoutId: string) => {
  const answer = await ledger.asStaff(payouts.get, { params: { payoutId } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout
}
const becomes = (payoutId: string, status: string) =>
  eventually(async () => (await payoutOf(payoutId)).status === status)
const eventsOf = async (payoutId: string) =>
  (await ledger.events()).filter((event) => JSON.stringify(event).includes(payoutId)).map(({ name }) => name)
const sumsOf = async ({ customerId }: Destination) => {
  const sums = await ledger.sums()
  return ['available', 'on_the_way'].map((balance) => sums[`${customerId}:${balance} EUR`] ?? 0n)
}
const bank = async () => (await ledger.sums())['bank:main EUR'] ?? 0n
const lineOf = async (lineId: string) => {
  const [line] = await ledger.sql<{ step: string | null; payout_id: string | null }>(
    'SELECT step, payout_id, amount::text, reference FROM bank_lines WHERE line_id = $1',
    [lineId],
  )
  return line
}
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('settles a payout by the debit that carries its reference, and returns it by the credit', async () => {
  const payout = await newPayout()
  const before = await bank()
  expect(await imported(csvOf(payout.debit))).toEqual({ imported: 1, duplicates: 0, rejected: [] })
  await becomes(payout.id, 'settled')
  expect(await sumsOf(payout)).toEqual([8_750n, 0n])
  expect((await bank()) - before).toBe(1_250n)
  const { partnerId, merchantId, id } = payout
  expect(await ledger.asPartner(paidOut.get, partnerId, { params: { payoutId: id } })).toMatchObject({
    value: { payout: { status: 'settled', settled_at: expect.any(String), returned_at: null } },
  })
  await imported(csvOf(payout.credit))
  await becomes(id, 'returned')
  expect(await sumsOf(payout)).toEqual([10_000n, 0n])
  expect((await bank()) - before).toBe(0n)
  expect(
    await ledger.asMerchant(paidOut.getByMerchant, merchantId, { params: { payoutId: id } }),
  ).toMatchObject({
    value: { payout: { returnedAt: expect.any(String), returnReason: 'Returned by the bank' } },
  })
  expect(await eventsOf(id)).toEqual(['payout.upcoming', 'payout.sent', 'payout.settled', 'payout.returned'])
  expect(await faults()).toEqual([])
})

test('reads camt.053 with payment and return in one statement, and states the bank’s reason', async () => {
  const { id } = await newPayout()
  const refs = `<Refs><EndToEndId>${referenceOf(id)}</EndToEndId></Refs>`
  const reason = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf></RtrInf>'
  const statement = camtOf(
    entryOf(`r ${id}`, '12.50', 'CRDT', `${refs}${reason}`),
    entryOf(`p ${id}`, '12.50', 'DBIT', refs),
  )
  expect(await imported(statement)).toEqual({ imported: 2, duplicates: 0, rejected: [] })
  await becomes(id, 'returned')
  expect((await payoutOf(id)).return_reason).toBe('Account closed')
  expect(await imported(statement)).toEqual({ imported: 0, duplicates: 2, rejected: [] })
  expect(await eventsOf(id)).toHaveLength(4)
})

test('changes nothing when the same statement is imported twice, also simultaneously', async () => {
  const payout = await newPayout()
  const statement = csvOf(payout.debit, payout.credit)
  const reports = await Promise.all(Array.from({ length: 6 }, () => imported(statement)))
  expect(reports.reduce((sum, report) => sum + report.imported, 0)).toBe(2)
  expect(reports.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(10)
  await becomes(payout.id, 'returned')
  expect(await sumsOf(payout)).toEqual([10_000n, 0n])
  expect(await eventsOf(payout.id)).toHaveLength(4)
  expect(await faults()).toEqual([])
})

test('settles a payout once the upload is confirmed, if the statement arrived first', async () => {
  const { id, debit, upload } = await newPayout({ isUploaded: false })
  await imported(csvOf(debit))
  await settleAnother()
  expect((await payoutOf(id)).status).toBe('upcoming')
  await upload()
  await becomes(id, 'settled')
})

test('returns nothing before the payment itself is on a statement', async () => {
  const { id, debit, credit } = await newPayout()
  await imported(csvOf(credit))
  await settleAnother()
  expect((await payoutOf(id)).status).toBe('sent')
  await imported(csvOf(debit))
  await becomes(id, 'returned')
})

/** Waits until lines of before were looked at. */
const settleAnother = async () => {
  const { id, debit } = await newPayout()
  await imported(csvOf(debit))
  await becomes(id, 'settled')
}

test.each([
  ['another amount', (id: string) => debitOf(id, -1_249)],
  ['another currency', (id: string) => debitOf(id).replace('EUR', 'USD')],
  ['the other direction', (id: string) => creditOf(id)],
  ['a longer reference', (id: string) => debitOf(id).replace(',Muller', '1,Muller')],
])('settles nothing by a line of %s, which stays without a match', async (_, line) => {
  const { id } = await newPayout()
  const row = line(id)
  await imported(csvOf(row))
  await settleAnother()
  expect((await payoutOf(id)).status).toBe('sent')
  expect(await lineOf(row.split(',')[0] ?? '')).toMatchObject({ step: null })
})

test('returns nothing by a credit of another amount', async () => {
  const { id, debit } = await newPayout()
  await imported(csvOf(debit, creditOf(id, 1_251)))
  await becomes(id, 'settled')
  await settleAnother()
  expect((await payoutOf(id)).status).toBe('settled')
})

test('matches one of two debits for a payout, and leaves the other one open', async () => {
  const { id, debit } = await newPayout()
  await imported(csvOf(debit, debitOf(id, -1_250, `again ${id}`)))
  await becomes(id, 'settled')
  await settleAnother()
  expect([await lineOf(`again ${id}`), await lineOf(`debit ${id}`)]).toMatchObject([
    { step: 'settled' },
    { step: null },
  ])
})

test('matches the credit for a payout that staff have marked as returned, and changes nothing else', async () => {
  const { id, debit, credit, ...destination } = await newPayout()
  await imported(csvOf(debit))
  await becomes(id, 'settled')
  const returned = { params: { payoutId: id }, body: { reason: 'By phone' } }
  expect((await ledger.asStaff(payouts.markReturned, returned)).ok).toBe(true)
  await imported(csvOf(credit, creditOf(id, 1_250, `again ${id}`)))
  await settleAnother()
  expect(
    [await lineOf(`again ${id}`), await lineOf(`credit ${id}`)].map((line) => line?.step).toSorted(),
  ).toEqual([null, 'returned'])
  expect((await payoutOf(id)).return_reason).toBe('By phone')
  expect(await sumsOf(destination)).toEqual([10_000n, 0n])
  expect(await faults()).toEqual([])
})

test('keeps lines of others, with amount and time and without the other party', async () => {
  await imported(csvOf('other 1,2026-11-28,-1999,EUR,Invoice 12,Secret Person'))
  expect(await lineOf('other 1')).toEqual({
    step: null,
    payout_id: null,
    amount: '-1999',
    reference: 'Invoice 12',
  })
  const [row] = await ledger.sql("SELECT * FROM bank_lines WHERE line_id = 'other 1'")
  expect(JSON.stringify(row)).not.toContain('Secret Person')
})

test.each([
  ['amount', (row: string) => row.replace('-5', '-6')],
  ['time', (row: string) => row.replace('-28', '-27')],
  ['currency', (row: string) => row.replace('EUR', 'USD')],
  ['reference', (row: string) => row.replace('Fees', 'Fee')],
])('rejects a known line with another %s, and keeps what was imported', async (field, other) => {
  const row = `known ${field},2026-11-28,-5,EUR,Fees,Bank`
  await imported(csvOf(row))
  const before = await lineOf(`known ${field}`)
  expect(await imported(csvOf(`new ${field},2026-11-28,-5,EUR,,`, other(row)))).toEqual({
    imported: 1,
    duplicates: 0,
    rejected: [{ line: 3, reason: 'line_id: was imported before with other content.' }],
  })
  expect(await lineOf(`known ${field}`)).toEqual(before)
})

test('knows a line by its id in either format', async () => {
  const { id, debit } = await newPayout()
  const refs = `<Refs><EndToEndId>${referenceOf(id)}</EndToEndId></Refs>`
  await imported(csvOf(debit))
  expect(await imported(camtOf(entryOf(`debit ${id}`, '12.50', 'DBIT', refs)))).toMatchObject({
    duplicates: 1,
  })
  expect(await imported(camtOf(entryOf(`debit ${id}`, '12.51', 'DBIT', refs)))).toEqual({
    imported: 0,
    duplicates: 0,
    rejected: [{ line: 1, reason: 'AcctSvcrRef or NtryRef: was imported before with other content.' }],
  })
})

const BOMB = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? '' : at - 1};`.repeat(10)}">`,
).join('')}]><Document>&a8;</Document>`

test.each([
  ['csv', { csv: '' }, 'invalid_value'],
  ['csv', { csv: 'a,b\n1,2' }, 'invalid_value'],
  ['csv', csvOf(...Array.from({ length: 100_001 }, () => 'x')), 'invalid_value'],
  ['xml', { xml: 'line_id' }, 'invalid_value'],
  ['xml', { xml: BOMB }, 'invalid_value'],
  [
    'xml',
    { xml: '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document>&x;</Document>' },
    'invalid_value',
  ],
])(
  'refuses a file in %s as a whole that is no statement, expands entities, or is too long',
  async (field, body, reason) => {
    expect(await importFile(body)).toMatchObject({
      ok: false,
      code: 'invalid_request',
      details: [{ field, reason, expected: expect.any(String) }],
    })
  },
)
