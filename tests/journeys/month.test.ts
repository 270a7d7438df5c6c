import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { PARTNER_EVENT_TYPES, SCOPES, type PaymentFile, type PayoutSummary } from '@causeway/contracts'
import { dataOf, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { readBankStatement } from '@causeway/rails/bank'
import { toUnits } from '@causeway/rails/networks'
import { cardOrderBody, cryptoOrderBody } from '@causeway/scenario'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import type { DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import { openDatabases } from '../contract/database.ts'
import { readBooks, readModel } from '../soak/checks/books.ts'
import type { ReadRows } from '../soak/checks/databases.ts'
import { readOutsideBooks } from '../soak/checks/outside-books.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Payout = Readonly<{
  payout_id: string
  status: string
  amount_cents: number
  return_reason: string | null
  summary: PayoutSummary
}>

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let api: RawClient
let receiver: Awaited<ReturnType<typeof startReceiver>>
let customer: TestCustomer
let databases: Awaited<ReturnType<typeof openDatabases>>

const key = () => ({ 'idempotency-key': newId('request') })
const control = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const { status, body: answer } = await platform.sandbox.post(`/control${path}`, body)
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`)
  return answer
}
const read: ReadRows = async <Row>(database: DatabaseName, text: string) =>
  ((await databases.query(database, text, []))?.rows ?? []) as Row[]
const sumOf = async (account: string, unit: string): Promise<bigint> =>
  (await readBooks(read)).get(`${account} ${unit}`) ?? 0n
const balanceOf = async (balance: string, unit: string): Promise<bigint> => {
  const rows = await read<{ name: string; unit: string; amount: string }>(
    'ledger',
    'SELECT a.name, a.unit, b.amount::text FROM books.balances b JOIN books.accounts a ON a.id = b.account_id',
  )
  const row = rows.find((each) => each.name === `${customer.customerId}:${balance}` && each.unit === unit)
  return BigInt(row?.amount ?? 0)
}
const available = (unit: string) => balanceOf('available', unit)
const pending = (unit: string) => balanceOf('pending', unit)

/** Moves the platform's clock, and signs the partner in again. */
const pass = async (ms: number): Promise<void> => {
  await control('/clock', { advance_ms: ms })
  const { clientId, clientSecret } = partner
  api = await signIn({ baseUrl: platform.baseUrl, clientId, clientSecret })
}

const newPaidCard = async (currency: 'EUR' | 'USD'): Promise<string> => {
  const body = { ...(await cardOrderBody(partner.causeway, customer.customerId)), currency }
  const made = await api.post(`${customer.path}/fiat-orders`, body, key())
  const { order_key: orderKey } = dataOf<{ order: { order_key: string } }>(made).order
  const before = await pending(currency)
  await control(`/card-payments/${orderKey}`, { outcome: 'completed' })
  await eventually(async () => (await pending(currency)) > before)
  return orderKey
}

const newCryptoOrder = async (): Promise<string> => {
  const made = await api.post(`${customer.path}/orders`, cryptoOrderBody(newId('request')), key())
  return dataOf<{ order: { id: string } }>(made).order.id
}
const USDC = 'ETH/USDC'

/** Cards in two currencies with refunds and a dispute, and stablecoin with a reorganisation and an overpayment. */
const sell = async (): Promise<string> => {
  const [refunded, lied] = [await newPaidCard('EUR'), await newPaidCard('EUR')]
  await newPaidCard('EUR')
  const disputed = await newPaidCard('USD')
  await newPaidCard('USD')
  const refund = await api.post(
    `/api/v1/partner/fiat-orders/${refunded}/refunds`,
    { amount_cents: 3_000 },
    key(),
  )
  expect(refund.status).toBeLessThan(300)
  const before = await sumOf('processor:processor:receivable', 'USD')
  await control(`/chargebacks/${disputed}`, {})
  await eventually(async () => (await sumOf('processor:processor:receivable', 'USD')) !== before)

  const exact = await newCryptoOrder()
  await control('/deposits', { order_id: exact })
  await eventually(async () => (await available(USDC)) > 0n)
  await control('/chain/reorganise', { network: 'ETH', blocks: 1 })
  await eventually(async () => (await available(USDC)) === 0n)
  await control('/chain/mine', { network: 'ETH', blocks: 100 })
  await eventually(async () => (await available(USDC)) > 0n)
  const applied = await available(USDC)
  await control('/deposits', { order_id: await newCryptoOrder(), amount: '100' })
  await eventually(async () => (await available(USDC)) > applied && (await sumOf('payers:excess', USDC)) > 0n)
  return lied
}

const staffPayouts = async (status: string): Promise<Payout[]> => {
  const { payouts } = dataOf<{ payouts: Payout[] }>(
    await platform.staff.get(`/api/operator/payouts?status=${status}&limit=100`),
  )
  return payouts
}
const upload = async (path: string, contentType: string, body: string): Promise<unknown> => {
  const answer = await fetch(`${platform.baseUrl}/api/operator${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': contentType },
    body,
  })
  const { data } = (await answer.json()) as { data: unknown }
  expect(answer.status).toBe(200)
  return data
}
const importStatement = async () => {
  const statement = await fetch(`${platform.sandboxUrl}/control/bank/statement?format=camt053`)
  return upload('/bank-statements/import', 'application/xml', await statement.text())
}
/** Pays what the schedule has made, by a file that the bank books. @returns the payout */
const payByFile = async (): Promise<string> => {
  await eventually(async () => (await staffPayouts('upcoming')).length === 1)
  const files = '/api/operator/payment-files'
  const { payment_file: made } = dataOf<{ payment_file: PaymentFile }>(
    await platform.staff.post(files, { unit: 'EUR' }, key()),
  )
  const { payment_file: file } = dataOf<{ payment_file: PaymentFile }>(
    await platform.staff.get(`${files}/${made.payment_file_id}`),
  )
  const content = await (await fetch(file.url ?? '')).text()
  const booked = await fetch(`${platform.sandboxUrl}/control/bank/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: content,
  })
  expect(booked.status).toBe(201)
  dataOf(await platform.staff.post(`${files}/${file.payment_file_id}/uploaded`))
  return file.payout_ids[0] ?? ''
}
const activeWallets = async (): Promise<number> =>
  dataOf<{ payout_wallets: unknown[] }>(
    await platform.staff.get('/api/operator/payout-wallets?status=active&limit=100'),
  ).payout_wallets.length
const statusOf = async (payoutId: string): Promise<string> =>
  dataOf<{ payout: Payout }>(await platform.staff.get(`/api/operator/payouts/${payoutId}`)).payout.status

/** Passes a Monday, after everything has become available. */
const passWeek = async (): Promise<void> => {
  await pass(2 * DAY_MS)
  await eventually(async () => (await pending('EUR')) === 0n && (await pending('USD')) === 0n)
  await eventually(async () => (await activeWallets()) === 1)
  await pass(7 * DAY_MS)
}

/** The order that the processor settles with another amount. */
let lied: string
let returned: string

const playMonth = async (): Promise<void> => {
  lied = await sell()
  await passWeek()
  const first = await payByFile()
  await importStatement()
  await eventually(async () => (await statusOf(first)) === 'settled')

  await newPaidCard('EUR')
  await passWeek()
  returned = await payByFile()
  await importStatement()
  await eventually(async () => (await statusOf(returned)) === 'settled')
  await control('/bank/return', { reference: returned.replaceAll('_', '-'), reason: 'AC04' })
  await importStatement()
  await eventually(async () => (await statusOf(returned)) === 'returned')

  await passWeek()
  const last = await payByFile()
  await control('/card/settle', { faults: [{ kind: 'amount', order_key: lied }] })
  await upload(
    '/settlements/import?processor=processor',
    'text/csv',
    await (await fetch(`${platform.sandboxUrl}/control/card/settlement-report`)).text(),
  )
  await importStatement()
  await eventually(async () => (await statusOf(last)) === 'settled')
  for (const unit of ['EUR', 'USD'])
    await eventually(async () => (await sumOf('processor:processor:receivable', unit)) === 0n)
}

beforeAll(async () => {
  platform = await startTestPlatform({
    LEDGER_COMPARE_INTERVAL: '1s',
    CARD_AVAILABLE_AFTER: '24h',
    PROCESSOR_FEES: 'processor=1.4%+25',
  })
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: [
      'payments.fiat_card',
      'payments.crypto',
      'refunds',
      'payouts',
      'payout_wallets',
      'wallets',
    ],
  })
  receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver, PARTNER_EVENT_TYPES)
  customer = await newCustomer(platform, partner.causeway)
  databases = await openDatabases(platform)
  api = partner.api
  const body = { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Example GmbH' }
  const { payout_wallet: wallet } = dataOf<{ payout_wallet: { payout_wallet_id: string } }>(
    await api.post(`${customer.path}/payout-wallets`, body, key()),
  )
  const { payout_wallet_id } = wallet
  dataOf(await platform.staff.post(`/api/operator/payout-wallets/${payout_wallet_id}/confirm`))
  const schedules = [{ unit: 'EUR', interval: 'weekly', weekday: 'monday', payout_wallet_id }]
  dataOf(await api.put(`${customer.path}/payout-schedule`, { schedules }))
  await playMonth()
})
afterAll(async () => {
  await databases.close()
  await platform.stop()
  await receiver.stop()
})

const sumUp = ({ entry_count: _, ...parts }: PayoutSummary): number =>
  Object.values(parts).reduce<number>((sum, part) => sum + Number(part), 0)

test('sums up every payout from its entries, for staff, its partner and in every event', async () => {
  const payouts = [...(await staffPayouts('settled')), ...(await staffPayouts('returned'))]
  expect(payouts).toHaveLength(3)
  for (const { payout_id: id } of payouts) {
    const { payout } = dataOf<{ payout: Payout }>(await platform.staff.get(`/api/operator/payouts/${id}`))
    expect(sumUp(payout.summary)).toBe(payout.amount_cents)
    const { balance_entries: entries } = dataOf<{ balance_entries: { paid_amount: number }[] }>(
      await api.get(`/api/v1/partner/payouts/${id}/entries?limit=100`),
    )
    expect(entries).toHaveLength(payout.summary.entry_count)
    expect(entries.reduce((sum, { paid_amount: paid }) => sum + paid, 0)).toBe(payout.amount_cents)
  }
  const told = () => receiver.deliveries.filter(({ event }) => event.event_type.startsWith('payout.'))
  // Upcoming, sent and settled for each, and one return.
  await eventually(() => told().length === 10)
  for (const { event } of told()) {
    const payout = event.data as unknown as Payout
    expect(sumUp(payout.summary)).toBe(payout.amount_cents)
  }
})

test('gives the books that payments’ tables imply, less what the bank has paid out', async () => {
  const [books, model] = [await readBooks(read), new Map(await readModel(read))]
  const paidOut = (await staffPayouts('settled')).reduce((sum, { amount_cents: cents }) => sum + cents, 0)
  const owner = `${customer.customerId} EUR`
  model.set(owner, (model.get(owner) ?? 0n) - BigInt(paidOut))
  const isOutside = (account: string) => /^(processor|bank|cost|suspense):/.test(account)
  const inside = (sums: ReadonlyMap<string, bigint>) =>
    Object.fromEntries([...sums].filter(([account, sum]) => !isOutside(account) && sum !== 0n).toSorted())
  expect(inside(books)).toEqual(inside(model))
  expect(Object.keys(inside(books)).length).toBeGreaterThan(5)
})

test('gives the books what the bank has received and paid, in each currency', async () => {
  const csv = await (await fetch(`${platform.sandboxUrl}/control/bank/statement?format=csv`)).text()
  const { lines } = readBankStatement(csv, 'csv')
  for (const unit of ['EUR', 'USD']) {
    const own = lines.filter(({ currency }) => currency === unit)
    expect(own.length).toBeGreaterThan(0)
    const moved = own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    await eventually(async () => (await sumOf('processor:processor:in_transit', unit)) === 0n)
    expect(await sumOf('bank:main', unit)).toBe(-moved)
  }
})

test('gives the books what the chain holds', async () => {
  const { deposits } = readOutsideBooks(platform.dataDir)
  const held = deposits.reduce((sum, { amount }) => sum + toUnits(amount, 6), 0n)
  expect(await sumOf('chain:ETH:deposits', USDC)).toBe(-held)
})

test('finds the falsified line of the processor as the only difference', async () => {
  const list = async () =>
    dataOf<{ differences: Readonly<Record<string, unknown>>[] }>(
      await platform.staff.get('/api/operator/ledger/differences?status=open&limit=100'),
    ).differences
  await eventually(async () => (await list()).length > 0)
  expect(await list()).toMatchObject([{ kind: 'other_amount', order_key: lied, unit: 'EUR' }])
  expect(await sumOf('suspense:EUR', 'EUR')).toBe(1n)
})
