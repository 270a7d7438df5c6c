import { eventually } from '@causeway/chassis/testing'
import type { Statement } from '../../packages/statement-proof/src/statement.ts'
import type { Report } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRawClient, dataOf } from '@causeway/dev-env/platform/raw-client'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCommandLine } from '../../packages/cli/tests/command-line.ts'
import { openDatabases } from '../contract/database.ts'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newMerchant,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { damage, deleteStore } from './stream-damage.ts'
import { cardOrderBody } from '@causeway/scenario'

type Order = Readonly<{ order_key: string; service_fee_cents: number; total_cents: number }>

/** The books are complete within this time (decisions §47). */
const COMPLETE_WITHIN_MS = 60_000

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let customer: TestCustomer
let databases: Awaited<ReturnType<typeof openDatabases>>

beforeAll(async () => {
  platform = await startTestPlatform({ FOUR_EYES: 'ledger', LEDGER_COMPARE_INTERVAL: '1s' })
  partner = await newPartner(platform, { default_capabilities: ['payments.fiat_card', 'refunds'] })
  receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver)
  customer = await newCustomer(platform, partner.causeway)
  databases = await openDatabases(platform)
})
afterAll(async () => {
  await databases.close()
  await platform.stop()
  await receiver.stop()
})

const rows = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  ((await databases.query('ledger', text, values))?.rows ?? []) as Record<string, unknown>[]
const balanceOf = async (balance: 'pending' | 'available'): Promise<number> => {
  const [row] = await rows(
    `SELECT coalesce(sum(b.amount), 0)::float8 AS cents FROM books.balances b JOIN books.accounts a ON a.id = b.account_id
     WHERE a.owner_id = $1 AND a.balance = $2 AND a.unit = 'EUR'`,
    [customer.customerId, balance],
  )
  return Number(row?.['cents'])
}
const pending = () => balanceOf('pending')
const available = () => balanceOf('available')
const accountSum = async (name: string): Promise<number> => {
  const [row] = await rows(
    `SELECT coalesce(sum(CASE WHEN c.name = $1 THEN t.amount ELSE 0 END - CASE WHEN d.name = $1 THEN t.amount ELSE 0 END), 0)::float8 AS cents
     FROM books.transfers t JOIN books.accounts d ON d.id = t.debit JOIN books.accounts c ON c.id = t.credit`,
    [name],
  )
  return Number(row?.['cents'])
}

let keys = 0
const newPaidOrder = async (): Promise<Order> => {
  const { order } = dataOf<{ order: Order }>(
    await partner.api.post(
      `${customer.path}/fiat-orders`,
      { ...(await cardOrderBody(partner.causeway, customer.customerId)), service_fee_payer: 'customer' },
      { 'idempotency-key': `ledger-${(keys += 1)}` },
    ),
  )
  await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
  await eventually(() => delivered('payment.confirmed', order.order_key))
  return order
}
const delivered = (type: string, orderKey: string) =>
  receiver.deliveries.find(({ event }) => event.event_type === type && event.data['order_key'] === orderKey)

test('a paid order and its refund are in the merchant’s balance, with the amounts that the partner was told', async () => {
  const order = await newPaidOrder()
  const told = delivered('payment.confirmed', order.order_key)?.event.data
  const earned = Number(told?.['total_cents']) - order.service_fee_cents
  expect(earned).toBe(10_000)
  await eventually(async () => (await pending()) === earned)
  expect(await accountSum('income:service_fee')).toBe(order.service_fee_cents)

  await partner.api.post(
    `/api/v1/partner/fiat-orders/${order.order_key}/refunds`,
    { amount_cents: order.total_cents },
    { 'idempotency-key': 'ledger-refund' },
  )
  await eventually(async () => (await pending()) === 0)
  await eventually(async () => (await accountSum('income:service_fee')) === 0)
  expect(JSON.stringify(receiver.deliveries)).not.toContain('ledger_facts')
})

test('orders are paid while the ledger is down, and are in the books once it runs again', async () => {
  const before = await pending()
  platform.processes.ledger.kill('SIGSTOP')
  const order = await newPaidOrder()
  const ready = await fetch(`${platform.baseUrl}/readyz`)
  expect(ready.status).toBe(200)
  expect(await pending()).toBe(before)
  platform.processes.ledger.kill('SIGKILL')
  await eventually(async () => (await pending()) === before + order.total_cents - order.service_fee_cents)
})

test('the books are complete within 60 s after NATS has lost its data, although no outbox publishes it again', async () => {
  const before = await pending()
  const { nats, processes, dataDir } = platform
  if (nats === null) throw new Error('The platform did not start a NATS server')
  processes.ledger.kill('SIGSTOP')
  const order = await newPaidOrder()
  await databases.query('payments', 'DELETE FROM outbox_published', [])
  await damage(nats, () => deleteStore(`${dataDir}/nats`))
  const startedMs = performance.now()
  processes.ledger.kill('SIGKILL')
  await eventually(async () => (await pending()) === before + order.total_cents - order.service_fee_cents)
  expect(performance.now() - startedMs).toBeLessThan(COMPLETE_WITHIN_MS)
})

/** A client of a person with a separate key. */
const newFinancePerson = async (name: string) => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name, role: 'finance' }),
  )
  return createRawClient({ baseUrl: platform.baseUrl, headers: { authorization: `Bearer ${key}` } })
}

test('an adjustment waits for a second person, and is in the balance and the audit log once that one confirms it', async () => {
  const [ada, ben] = [await newFinancePerson('Ada'), await newFinancePerson('Ben')]
  const path = '/api/operator/ledger/adjustments'
  const body = { partner_customer_id: customer.customerId, unit: 'EUR', amount: 700, reason: 'Goodwill' }
  const refused = await ada.post(path, { ...body, amount: -99_999_999 })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining('amount_exceeds_available'),
  ])

  const asked = await ada.post(path, body, { 'idempotency-key': 'adjustment-1' })
  expect(asked.status).toBe(202)
  expect(await available()).toBe(0)
  const { pending_action: action } = dataOf<{ pending_action: { pending_action_id: string } }>(asked)
  const confirm = `/api/operator/pending-actions/${action.pending_action_id}/confirm`
  expect((await ada.post(confirm)).status).toBe(409)
  expect((await ben.post(confirm)).status).toBe(200)
  expect(await available()).toBe(700)
  const log = await platform.staff.get('/api/operator/audit?order=newest&action=ledger.adjustments.create')
  const { entries } = dataOf<{ entries: { before: unknown; confirmed_by?: string }[] }>(log)
  expect(
    entries.some(({ before, confirmed_by: by }) => JSON.stringify(before) === '{"available":0}' && by),
  ).toBe(true)
})

test('in every unit debits equal credits, and no fact is parked', async () => {
  const units = await rows(
    `SELECT a.unit, sum(t.side * t.amount)::text AS difference
     FROM (SELECT debit AS id, amount, 1 AS side FROM books.transfers
       UNION ALL SELECT credit, amount, -1 FROM books.transfers) t JOIN books.accounts a USING (id) GROUP BY a.unit`,
  )
  expect(units).toEqual([{ unit: 'EUR', difference: '0' }])
  expect(await rows('SELECT error FROM parked_events')).toEqual([])
})

test('a partner takes a report through the API, with the hash that it states', async () => {
  const path = '/api/v1/partner/reports'
  const [from, to] = ['2026-01-01T00:00:00Z', '2100-01-01T00:00:00Z']
  const asked = await partner.api.post(path, { type: 'activity', from, to, format: 'csv' })
  expect(asked.status).toBe(202)
  const { report } = dataOf<{ report: Report }>(asked)
  const ready = await eventually(async () => {
    const read = dataOf<{ report: Report }>(await partner.api.get(`${path}/${report.report_id}`)).report
    return read.status === 'ready' && read
  })
  const file = await fetch(ready.url ?? '')
  const bytes = Buffer.from(await file.arrayBuffer())
  expect([file.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, ready.sha256])
  const lines = bytes.toString().trimEnd().split('\r\n')
  expect(lines.length).toBe((ready.rows ?? 0) + 1)
  expect(lines.slice(1).every((line) => line.startsWith(`${customer.customerId},EUR,`))).toBe(true)
  expect(lines.length).toBeGreaterThan(2)
})

test('a statement that causeway took verifies offline, and a line that is altered, missing or added is named', async () => {
  const { apiKey, api } = await newMerchant(platform, customer.merchantId)
  const month = new Date().toISOString().slice(0, 7)
  const nextMonth = new Date(`${month}-01T00:00:00.000Z`)
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1)
  dataOf(await platform.sandbox.post('/control/clock', { now: nextMonth.toISOString() }))
  await eventually(
    async () => (await api.get(`/api/user/statements/${nextMonth.toISOString().slice(0, 7)}`)).status === 200,
  )

  const cli = createCommandLine({ CAUSEWAY_BASE_URL: platform.baseUrl, CAUSEWAY_API_KEY: apiKey })
  const file = join(dirname(dirname(cli.credentialsFile)), 'statement.json')
  const taken = await cli.run(`statement ${month} --out ${file}`)
  expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining(`causeway verify ${file}`)])
  const right = await cli.run(`verify ${file}`)
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('The month is closed.')])

  const statement = JSON.parse(readFileSync(file, 'utf8')) as Statement
  const lines = statement.units[0]?.entries ?? []
  const chosen = lines[1]
  if (chosen === undefined) throw new Error('The statement has too few lines')
  const verified = async (entries: Statement['units'][number]['entries']) => {
    writeFileSync(file, JSON.stringify({ ...statement, units: [{ ...statement.units[0], entries }] }))
    const { code, stdout } = await cli.run(`verify ${file}`)
    return [code, ...stdout.split('\n').filter((line) => line.includes(': line '))]
  }
  const name = `${customer.customerId} ${chosen.balance} EUR: line`
  expect(await verified(lines.with(1, { ...chosen, orderKey: '1' }))).toEqual([
    1,
    `${name} ${chosen.number} was altered`,
  ])
  expect(await verified(lines.toSpliced(1, 1))).toEqual([1, `${name} ${chosen.number} is missing`])
  expect(await verified([...lines, { ...chosen, number: 999 }])).toEqual([1, `${name} 999 was added`])
  cli.remove()
})
