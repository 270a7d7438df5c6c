import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES, type PaymentFile, type Payout } from '@causeway/contracts'
import { createRawClient, dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { signInAs } from '../screens/visitors.ts'
import {
  newCustomer,
  newPartner,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { visit } from './portal-visitor.ts'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let customer: TestCustomer
let walletId: string
let ada: RawClient
let ben: RawClient

const newFinancePerson = async (name: string): Promise<RawClient> => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name, role: 'finance' }),
  )
  return createRawClient({ baseUrl: platform.baseUrl, headers: { authorization: `Bearer ${key}` } })
}
const key = () => ({ 'idempotency-key': newId('request') })

beforeAll(async () => {
  platform = await startTestPlatform({
    FOUR_EYES: 'money',
    PAYOUT_WALLET_WAIT: '1ms',
  })
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payout_wallets', 'withdrawals', 'payouts', 'wallets'],
  })
  receiver = await startReceiver()
  const { webhook_secret: secret } = dataOf<{ webhook_secret: string }>(
    await platform.staff.post(`/api/operator/partners/${partner.partnerId}/webhooks`, {
      url: receiver.url,
      event_types: ['payout.upcoming', 'payout.sent', 'payout.settled', 'payout.returned'],
    }),
  )
  receiver.trust(secret)
  ada = await newFinancePerson('Ada')
  ben = await newFinancePerson('Ben')
  customer = await newCustomer(platform, partner.causeway)
  const wallet = { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Zoë Müller' }
  const added = await partner.api.post(`${customer.path}/payout-wallets`, wallet, key())
  walletId = dataOf<{ payout_wallet: { payout_wallet_id: string } }>(added).payout_wallet.payout_wallet_id
  dataOf(await ada.post(`/api/operator/payout-wallets/${walletId}/confirm`))
  const earned = { partner_customer_id: customer.customerId, unit: 'EUR', amount: 100_000, reason: 'Sales' }
  dataOf(await ada.post('/api/operator/ledger/adjustments', earned))
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
})

const withdraw = async (amount: number): Promise<string> => {
  const body = { unit: 'EUR', amount_cents: amount, payout_wallet_id: walletId }
  const answer = await partner.api.post(`${customer.path}/withdrawals`, body, key())
  return dataOf<{ payout: Payout }>(answer).payout.payout_id
}
const payoutOf = async (payoutId: string): Promise<Payout> =>
  dataOf<{ payout: Payout }>(await partner.api.get(`/api/v1/partner/payouts/${payoutId}`)).payout
const availableCents = async (): Promise<number> => {
  const { wallets } = dataOf<{ wallets: { available: number }[] }>(
    await partner.api.get(`${customer.path}/wallets`),
  )
  return wallets[0]?.available ?? 0
}
/** One person does it, another one confirms. */
const byTwo = async (path: string, body?: object): Promise<void> => {
  const held = await ada.post(path, body)
  expect(held.status).toBe(202)
  const { pending_action: action } = dataOf<{ pending_action: { pending_action_id: string } }>(held)
  const confirm = `/api/operator/pending-actions/${action.pending_action_id}/confirm`
  expect((await ada.post(confirm)).status).toBe(409)
  dataOf(await ben.post(confirm))
}
const FILES = '/api/operator/payment-files'
const newestFile = async (): Promise<PaymentFile> =>
  dataOf<{ payment_files: PaymentFile[] }>(await ada.get(FILES)).payment_files[0] as PaymentFile
/** Makes the file of what waits, downloads it, uploads it at the bank and confirms that. */
const payByFile = async (): Promise<PaymentFile> => {
  await byTwo(FILES, { unit: 'EUR' })
  const { payment_file_id: id } = await newestFile()
  const { payment_file: file } = dataOf<{ payment_file: PaymentFile }>(await ada.get(`${FILES}/${id}`))
  const xml = await (await fetch(file.url ?? '')).text()
  expect(createHash('sha256').update(xml).digest('hex')).toBe(file.sha256)
  const booked = await fetch(`${platform.sandboxUrl}/control/bank/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: xml,
  })
  expect([booked.status, await booked.json()]).toMatchObject([201, { booked: file.payout_ids.length }])
  await byTwo(`${FILES}/${id}/uploaded`)
  return file
}
const importStatement = async (format: 'camt053' | 'csv') => {
  const statement = await fetch(`${platform.sandboxUrl}/control/bank/statement?format=${format}`)
  return importText(format, await statement.text())
}
const importText = async (format: 'camt053' | 'csv', body: string) => {
  const answer = await fetch(`${platform.baseUrl}/api/operator/bank-statements/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.operatorKey}`,
      'content-type': format === 'csv' ? 'text/csv' : 'application/xml',
    },
    body,
  })
  return ((await answer.json()) as { data: unknown }).data
}
const eventsOf = (payoutId: string): string[] =>
  receiver.deliveries
    .filter(({ event }) => event.data['payout_id'] === payoutId)
    .map(({ event }) => event.event_type)
    .toSorted()

test.each(['camt053', 'csv'] as const)(
  'pays by a file that two persons send, and follows the bank’s statement in %s to the return',
  async (format) => {
    const before = await availableCents()
    const [first, second] = [await withdraw(12_345), await withdraw(678)]
    const file = await payByFile()
    expect(file.payout_ids.toSorted()).toEqual([first, second].toSorted())
    for (const id of [first, second]) expect((await payoutOf(id)).status).toBe('sent')

    expect(await importStatement(format)).toMatchObject({ imported: 2, rejected: [] })
    await eventually(async () => (await payoutOf(second)).status === 'settled')
    await eventually(async () => (await payoutOf(first)).status === 'settled')
    expect(await availableCents()).toBe(before - 12_345 - 678)

    const reference = first.replace('_', '-')
    dataOf(await platform.sandbox.post('/control/bank/return', { reference, reason: 'Account closed' }))
    expect(await importStatement(format)).toMatchObject({ imported: 1, rejected: [] })
    await eventually(async () => (await payoutOf(first)).status === 'returned')
    expect(await payoutOf(first)).toMatchObject({
      settled_at: expect.any(String),
      returned_at: expect.any(String),
      return_reason: format === 'csv' ? 'Returned by the bank' : 'Account closed',
    })
    expect(await availableCents()).toBe(before - 678)

    expect(await importStatement('csv')).toMatchObject({ imported: 0, rejected: [] })
    expect(await importStatement('camt053')).toMatchObject({ imported: 0, rejected: [] })
    await eventually(() => eventsOf(first).length === 4 && eventsOf(second).length === 3)
    expect(eventsOf(first)).toEqual(['payout.returned', 'payout.sent', 'payout.settled', 'payout.upcoming'])
    expect(await availableCents()).toBe(before - 678)
  },
)

test('refuses a file that the bank has booked, and makes none while no payout waits', async () => {
  await withdraw(100)
  const file = await payByFile()
  const { payment_file: read } = dataOf<{ payment_file: PaymentFile }>(
    await ada.get(`${FILES}/${file.payment_file_id}`),
  )
  const again = await fetch(`${platform.sandboxUrl}/control/bank/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: await (await fetch(read.url ?? '')).text(),
  })
  expect(again.status).toBe(409)
  await byTwoRefused(FILES, { unit: 'EUR' })
})

/** One person asks for what is then refused, with the state of the moment in which another one confirms it. */
const byTwoRefused = async (path: string, body: object): Promise<void> => {
  const held = await ada.post(path, body)
  const { pending_action: action } = dataOf<{ pending_action: { pending_action_id: string } }>(held)
  const confirmed = await ben.post(`/api/operator/pending-actions/${action.pending_action_id}/confirm`)
  expect(confirmed.body).toMatchObject({
    data: { pending_action: { status: 'failed', code: 'invalid_state' } },
  })
}

test('lets finance make and download a file and import a statement in the console, and shows a viewer only the list', async () => {
  const payoutId = await withdraw(200)
  const finance = await signInAs(platform, 'finance')
  const page = `${platform.baseUrl}/console/payment-files`
  const post = (url: string, fields: Record<string, string>, { cookie, formToken } = finance) =>
    visit(url, { cookie, form: { form_token: formToken, ...fields } })

  const held = await post(page, { unit: 'EUR', key: newId('request') })
  expect(held.location).toMatch(/^\/console\/pending-actions\/pac_/)
  dataOf(await ben.post(`/api/operator/pending-actions/${held.location?.split('/').at(-1)}/confirm`))
  const { payment_file_id: id } = await newestFile()
  expect((await visit(page, finance)).text).toContain(id)
  const shown = await visit(`${page}/${id}`, finance)
  expect(shown.text).toContain(payoutId)
  expect(shown.text).not.toContain('370400440532013000')
  const download = await visit(`${page}/${id}/content`, finance)
  const file = await visit(`${platform.baseUrl}${download.location}`)
  expect(file.text).toContain(payoutId.replace('_', '-'))
  const cancelled = await post(`${platform.baseUrl}/console/payouts/${payoutId}/cancel`, {})
  expect(cancelled.location).toMatch(/^\/console\/pending-actions\//)

  const viewer = await signInAs(platform, 'viewer')
  expect((await visit(page, viewer)).text).toContain(id)
  expect((await visit(`${page}/${id}`, viewer)).status).toBe(403)
  expect((await post(page, { unit: 'EUR' }, viewer)).status).toBe(403)

  const statement = `${platform.baseUrl}/console/bank-statement`
  const csv = await fetch(`${platform.sandboxUrl}/control/bank/statement?format=csv`)
  const imported = await post(statement, { statement: await csv.text() })
  expect(imported.text).toContain('The statement was imported.')
  const wrong = await post(statement, { statement: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('without a DOCTYPE')])
  expect((await post(statement, { statement: 'x' }, viewer)).status).toBe(403)
})

test('names who made and uploaded a file in the audit log, without accounts and names', async () => {
  const log = await platform.staff.get('/api/operator/audit?order=newest&limit=100')
  const { entries } = dataOf<{ entries: { action: string }[] }>(log)
  const actions = new Set(entries.map(({ action }) => action))
  for (const action of ['create', 'get', 'mark-uploaded'])
    expect(actions).toContain(`ledger.payment-files.${action}`)
  expect(actions).toContain('ledger.bank-statements.import-file')
  expect(JSON.stringify(entries)).not.toMatch(/370400440532013000|Zo. M.ller/)
})

test('imports a statement that no message of the bus holds, and counts its lines as duplicates afterwards', async () => {
  const rows = Array.from({ length: 8_000 }, (_, at) => `large ${at},2026-11-28,${at + 1},EUR,Invoice ${at},`)
  const text = ['line_id,booked_at,amount_cents,currency,reference,counterparty', ...rows].join('\n')
  expect(text.length).toBeGreaterThan(256 * 1024)
  expect(await importText('csv', text)).toEqual({ imported: 8_000, duplicates: 0, rejected: [] })
  expect(await importText('csv', text)).toEqual({ imported: 0, duplicates: 8_000, rejected: [] })
})
