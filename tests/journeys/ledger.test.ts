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
import { signInByKey } from '../screens/visitors.ts'
import { signInByLink, visit } from './portal-visitor.ts'
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
/** The order that the processor has settled. */
let settledKey = ''
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

test('shows a paid order and its refund in the merchant’s balance, with the amounts that the partner has received', async () => {
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

test('imports what the processor has settled once, and its gross amounts are what the books say that it owes', async () => {
  const before = await pending()
  const order = await newPaidOrder()
  settledKey = order.order_key
  await eventually(async () => (await pending()) === before + order.total_cents - order.service_fee_cents)
  await platform.sandbox.post('/control/card/settle', { processor: 'processor' })
  const csv = await (await fetch(`${platform.sandboxUrl}/control/card/settlement-report`)).text()
  // Once lines are matched, their fees and the payout are booked too.
  const owed = -(await accountSum('processor:processor:receivable'))
  const importReport = async () => {
    const answer = await fetch(`${platform.baseUrl}/api/operator/settlements/import?processor=processor`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
      body: csv,
    })
    return ((await answer.json()) as { data: unknown }).data
  }
  // Two payments, a refund and the payout.
  expect(await importReport()).toEqual({ imported: 4, duplicates: 0, rejected: [] })
  expect(await importReport()).toEqual({ imported: 0, duplicates: 4, rejected: [] })
  const lines = await rows(
    `SELECT processor_order_id AS id, gross_cents::float8 AS cents FROM settlement_lines WHERE kind <> 'payout'`,
  )
  const gross = lines.reduce((sum, { cents }) => sum + Number(cents), 0)
  expect(gross).toBe(order.total_cents)
  expect(gross).toBe(owed)
  const known = await databases.query(
    'payments',
    'SELECT processor_order_id AS id FROM fiat_orders WHERE order_key = $1',
    [order.order_key],
  )
  expect(lines.map(({ id }) => id)).toContain((known?.rows[0] as { id: string }).id)
})

test('lets orders be paid while the ledger is down, and books them once it runs again', async () => {
  const before = await pending()
  platform.processes.ledger.kill('SIGSTOP')
  const order = await newPaidOrder()
  const ready = await fetch(`${platform.baseUrl}/readyz`)
  expect(ready.status).toBe(200)
  expect(await pending()).toBe(before)
  platform.processes.ledger.kill('SIGKILL')
  await eventually(async () => (await pending()) === before + order.total_cents - order.service_fee_cents)
})

test('completes the books within 60 s after NATS has lost its data, although no outbox publishes it again', async () => {
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

test('holds an adjustment for a second person, and shows it in the balance and the audit log once confirmed', async () => {
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

test('balances debits and credits in every unit, and parks no fact', async () => {
  const units = await rows(
    `SELECT a.unit, sum(t.side * t.amount)::text AS difference
     FROM (SELECT debit AS id, amount, 1 AS side FROM books.transfers
       UNION ALL SELECT credit, amount, -1 FROM books.transfers) t JOIN books.accounts a USING (id) GROUP BY a.unit`,
  )
  expect(units).toEqual([{ unit: 'EUR', difference: '0' }])
  expect(await rows('SELECT error FROM parked_events')).toEqual([])
})

test('shows staff the books in the console, and requires a second person to confirm an adjustment made there', async () => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Cleo', role: 'finance' }),
  )
  const { cookie, formToken } = await signInByKey(platform, key)
  const open = (path: string) => visit(`${platform.baseUrl}${path}`, { cookie })
  const books = await open('/console/books')
  expect([books.status, books.text]).toEqual([200, expect.stringContaining('relationships:available')])
  expect(books.text).toContain('Balanced')
  expect(books.text).not.toContain('Not balanced')
  expect((await open('/console/books?at=yesterday')).status).toBe(400)

  const accounts = await open(`/console/books/accounts?owner_id=${customer.customerId}&unit=EUR`)
  const account = /\/console\/books\/accounts\/\d+/.exec(accounts.text)?.[0] ?? ''
  const entries = await open(account)
  expect(entries.text).toContain(customer.customerId)
  const journal = /\/console\/books\/journal\/jnl_\w+/.exec(entries.text)?.[0] ?? ''
  expect((await open(journal)).text).toContain('processor:')

  const adjust = (amount: string) =>
    visit(`${platform.baseUrl}/console/books/adjustments`, {
      cookie,
      form: { form_token: formToken, owner: customer.customerId, unit: 'EUR', amount, reason: 'Goodwill' },
    })
  const refused = await adjust('7,00')
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 2 decimals')])
  const asked = await adjust('3.21')
  expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/console/pending-actions/')])
  expect((await open(asked.location ?? '')).text).toContain('321')
})

test('makes a price plan in the console, once a second person confirms it, and shows the plans', async () => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Dana', role: 'finance' }),
  )
  const { cookie, formToken } = await signInByKey(platform, key)
  const path = `${platform.baseUrl}/console/books/price-plans`
  const shown = await visit(path, { cookie })
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('card any any 2.5% 0 merchant')])
  const make = (rules: string) =>
    visit(path, { cookie, form: { form_token: formToken, name: 'Low', rules, dispute_fee_cents: '1500' } })
  const refused = await make('card any any 1% 0.25 merchant')
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Line 1')])
  const asked = await make('card any EUR 1.4% 0.25 merchant')
  expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/console/pending-actions/')])
  expect((await visit(`${platform.baseUrl}${asked.location}`, { cookie })).text).toContain('1500')
  const assigned = await visit(`${path}/assign`, {
    cookie,
    form: { form_token: formToken, owner: customer.merchantId, price_plan_id: '' },
  })
  expect([assigned.status, assigned.location]).toEqual([
    303,
    expect.stringContaining('/console/pending-actions/'),
  ])
})

test('shows a merchant its balances, their entries, its payouts and its statement in the portal', async () => {
  const payout = dataOf<{ payout: { payout_id: string } }>(
    await platform.staff.post('/api/operator/payouts', {
      customer_id: customer.merchantId,
      amount_cents: 300,
      currency: 'EUR',
      scheduled_for: new Date().toISOString(),
    }),
  ).payout
  const { cookie } = await signInByLink(platform, `merchants/${customer.merchantId}`)
  const open = async (path: string) => {
    const { status, text } = await visit(`${platform.baseUrl}/portal/${path}`, { cookie })
    expect([path, status]).toEqual([path, 200])
    return text
  }
  expect(await open('balances')).toContain('€4.00')
  expect(await open('balances/entries?kind=adjustment')).toContain('€7.00')
  const order = await eventually(async () => {
    const text = await open(`balances/order?order_key=${settledKey}`)
    return text.includes('sbo_') && text
  })
  expect(order).toContain('At the card processor')
  expect(order).toContain('Entries, newest first')
  const payment = await open(`payments/${settledKey}`)
  for (const text of ['Order key', 'sbo_', 'Entries, newest first']) expect(payment).toContain(text)
  expect(await open('balances/entries')).toContain(`/portal/balances/order?order_key=${settledKey}`)
  expect(await open('payouts')).toContain(payout.payout_id)
  const shown = await open(`payouts/${payout.payout_id}`)
  expect(shown).toContain('from 1 entry')
  expect(shown).toContain('Adjustments')
  const statement = await open(`statements/${new Date().toISOString().slice(0, 7)}`)
  expect(statement).toContain('Entries in EUR')
  const pdf = await open(`statements/${new Date().toISOString().slice(0, 7)}/pdf`)
  expect(pdf.slice(0, 5)).toBe('%PDF-')

  const stranger = await signInByLink(platform, `partners/${partner.partnerId}`)
  const ofPartner = await visit(`${platform.baseUrl}/portal/balances`, { cookie: stranger.cookie })
  expect(ofPartner.status).toBe(404)
})

test('shows staff what a run of payouts would pay and why not, and pays once when its form is sent twice', async () => {
  const { cookie, formToken } = await signInByKey(platform, platform.operatorKey)
  const path = `${platform.baseUrl}/console/payouts/run`
  const preview = (query: Record<string, string>) =>
    visit(`${path}?${new URLSearchParams({ preview: 'yes', ...query }).toString()}`, { cookie })
  const upcoming = async () =>
    dataOf<{ payouts: { amount_cents: number; partner_customer_id: string }[] }>(
      await platform.staff.get('/api/operator/payouts?status=upcoming'),
    ).payouts.filter(({ partner_customer_id: id }) => id === customer.customerId)
  const before = await upcoming()

  const all = await preview({})
  expect([all.status, all.text]).toEqual([200, expect.stringContaining('It has no schedule')])
  expect(all.text).not.toContain('name="key"')
  const shown = await preview({ unit: 'eur', partner_customer_id: customer.customerId })
  expect(shown.text).toContain('€4.00')
  expect(shown.text).toContain('Make 1 payout')
  expect(await upcoming()).toEqual(before)

  const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(shown.text)?.[1] ?? ''
  const form = Object.fromEntries(['unit', 'cursor', 'cut_off', 'key'].map((name) => [name, fieldOf(name)]))
  const filled = { ...form, form_token: formToken, partner_customer_id: customer.customerId }
  const sent = await Promise.all([
    visit(path, { cookie, form: filled }),
    visit(path, { cookie, form: filled }),
  ])
  expect(sent.map(({ status, location }) => [status, location])).toEqual([
    [303, '/console/payouts'],
    [303, '/console/payouts'],
  ])
  expect((await upcoming()).map((each) => each.amount_cents).sort()).toEqual(
    [...before.map((each) => each.amount_cents), 400].sort(),
  )

  const refused = async (query: Record<string, string>) => {
    const { status, text } = await preview(query)
    return [status, /id="field-(\w+)-error"/.exec(text)?.[1]]
  }
  expect(await refused({ unit: 'euro' })).toEqual([400, 'unit'])
  expect(await refused({ cut_off: 'yesterday' })).toEqual([400, 'cut_off'])
  expect(await refused({ cut_off: '2999-01-01T10:00' })).toEqual([400, 'cut_off'])
  expect(await refused({ partner_customer_id: `pcu_${'0'.repeat(26)}` })).toEqual([
    404,
    'partner_customer_id',
  ])
})

test('lets a partner fetch a report through the API, with the hash that it states', async () => {
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

test('verifies a statement offline that causeway fetched, and names a line that is altered, missing or added', async () => {
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
