import { eventually } from '@causeway/chassis/testing'
import type { LedgerDifference } from '@causeway/contracts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { cardOrderBody } from '@causeway/scenario'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openDatabases } from '../contract/database.ts'
import {
  newCustomer,
  newPartner,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { signInByLink, visit } from './portal-visitor.ts'

const EIGHT_DAYS_MS = 8 * 86_400_000
const DIFFERENCES = '/api/operator/ledger/differences'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let customer: TestCustomer
let databases: Awaited<ReturnType<typeof openDatabases>>

beforeAll(async () => {
  platform = await startTestPlatform({
    ...{ SETTLEMENT_POLL: '1s', LEDGER_COMPARE_INTERVAL: '1s' },
    // The fees of the sandbox’s processors.
    PROCESSOR_FEES: 'processor=1.4%+25',
  })
  partner = await newPartner(platform, { default_capabilities: ['payments.fiat_card', 'refunds'] })
  customer = await newCustomer(platform, partner.causeway)
  databases = await openDatabases(platform)
})
afterAll(async () => {
  await databases.close()
  await platform.stop()
})

const count = async (text: string, values: unknown[] = []): Promise<number> => {
  const rows = (await databases.query('ledger', text, values))?.rows as { count: string }[] | undefined
  return Number(rows?.[0]?.count)
}

let keys = 0
/** Pays an order of 100.00, and waits until the books have it. */
const pay = async (currency = 'EUR'): Promise<string> => {
  const { order } = dataOf<{ order: { order_key: string } }>(
    await partner.api.post(
      `${customer.path}/fiat-orders`,
      { ...(await cardOrderBody(partner.causeway, customer.customerId)), currency },
      { 'idempotency-key': `settlement-${(keys += 1)}` },
    ),
  )
  const { order_key: key } = order
  await platform.sandbox.post(`/control/card-payments/${key}`, { outcome: 'completed' })
  await eventually(
    async () =>
      (await count(`SELECT count(*) FROM books.journal WHERE rule = 'fact' AND order_key = $1`, [key])) === 1,
  )
  return key
}

/** Closes a period of the processor, and waits until each of its lines is matched or is a difference. */
const settle = async (
  faults: readonly Readonly<Record<string, string>>[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const before = await count('SELECT count(*) FROM settlement_lines')
  const { body } = await platform.sandbox.post('/control/card/settle', {
    ...{ processor: 'processor', faults },
    ...settings,
  })
  const { lines } = body as unknown as { lines: number }
  await eventually(async () => (await count('SELECT count(*) FROM settlement_lines')) === before + lines)
  await eventually(
    async () => (await count(`SELECT count(*) FROM settlement_lines WHERE status IN ('new', 'known')`)) === 0,
  )
}

const listOpen = async (): Promise<LedgerDifference[]> =>
  dataOf<{ differences: LedgerDifference[] }>(await platform.staff.get(DIFFERENCES)).differences
const close = async (differences: readonly LedgerDifference[]): Promise<void> => {
  for (const { difference_id: id } of differences)
    dataOf(
      await platform.staff.post(`${DIFFERENCES}/${id}/close`, { reason: 'The fault that was asked for' }),
    )
}

test('finds nothing in a period that the processor settles correctly', async () => {
  await pay()
  await settle([])
  expect(await listOpen()).toEqual([])
})

test.each([
  ['doubled', 'missing_here'],
  ['unknown_order', 'missing_here'],
  ['amount', 'other_amount'],
  ['currency', 'other_currency'],
  ['fee', 'other_fee'],
  ['sum', 'sum'],
])('finds the mistake %s of a processor as %s, and nothing else', async (fault, kind) => {
  const [key] = [await pay(), await pay()]
  await settle([{ kind: fault, order_key: key }])
  const open = await listOpen()
  expect(open.map((each) => [each.kind, each.order_key])).toEqual([
    [kind, fault === 'sum' || fault === 'unknown_order' ? null : key],
  ])
  await close(open)
})

const IN_EUROS = { settle_in: { currency: 'EUR', rates: { USD: '0.88' } } }

test('settles orders of another currency in the currency of the account, and shows the merchant both', async () => {
  const key = await pay('USD')
  await pay()
  await settle([], IN_EUROS)
  expect(await listOpen()).toEqual([])
  const left = await count(
    `SELECT coalesce(sum(CASE WHEN a.id = t.debit THEN t.amount ELSE -t.amount END), 0)::text AS count
     FROM books.transfers AS t JOIN books.accounts AS a ON a.id IN (t.debit, t.credit)
     WHERE a.name = 'processor:processor:receivable' AND a.unit = 'USD'`,
  )
  // The line of the fault `currency` paid out 100.00 less its fee in USD; nothing is left of it either.
  expect(left).toBe(0)
  const { cookie } = await signInByLink(platform, `merchants/${customer.merchantId}`)
  const { text } = await visit(`${platform.baseUrl}/portal/balances/order?order_key=${key}`, { cookie })
  const shown = text.replaceAll(/\s+/g, ' ')
  expect(shown).toContain('$100.00, settled as €88.00')
  expect(shown).toContain('0.88')
})

test.each([
  ['amount', 'other_amount', [10_000, 'USD'], [10_001, 'USD']],
  ['currency', 'other_currency', [10_000, 'USD'], [10_000, 'GBP']],
])('finds the mistake %s in what a line was before its conversion', async (fault, kind, expected, found) => {
  const key = await pay('USD')
  await settle([{ kind: fault, order_key: key }], IN_EUROS)
  const open = await listOpen()
  expect(open.map((each) => [each.kind, [each.expected, each.unit], [each.found, each.found_unit]])).toEqual([
    [kind, expected, found],
  ])
  await close(open)
})

// The last test: it moves the clock of the whole platform.
test('finds a payment that the processor has left out as missing_there once its term is over', async () => {
  const [key] = [await pay(), await pay()]
  await settle([{ kind: 'missing', order_key: key }])
  expect(await listOpen()).toEqual([])
  expect((await platform.sandbox.post('/control/clock', { advance_ms: EIGHT_DAYS_MS })).status).toBe(200)
  await eventually(async () => (await listOpen()).length > 0)
  expect((await listOpen()).map((each) => [each.kind, each.order_key, each.source])).toEqual([
    ['missing_there', key, 'processor:processor'],
  ])
})
