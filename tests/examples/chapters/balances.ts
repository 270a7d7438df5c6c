import { eventually } from '@causeway/chassis/testing'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import type { openDatabases } from '../../contract/database.ts'
import { key, ok, type Parties } from '../story.ts'

const DAY_MS = 86_400_000

type Databases = Awaited<ReturnType<typeof openDatabases>>
type Wallets = Readonly<{ wallets: readonly unknown[] }>

/** Balances after payments in two units: of the customer, its partner and its merchant. @param path the customer's */
export const readBalances = async (partner: RawClient, merchant: RawClient, path: string): Promise<void> => {
  await eventually(async () => (await ok<Wallets>(partner.get(`${path}/wallets`))).wallets.length === 2)
  await ok(partner.get(`${path}/balance-entries?unit=EUR&limit=2`))
  await ok(partner.get('/api/v1/partner/balance'))
  await ok(partner.get('/api/v1/partner/balance-entries'))
  await ok(merchant.get('/api/user/balances'))
  await ok(merchant.get('/api/user/balance-entries?limit=1'))
}

/** Sums by day, as everyone reads them who may. @param partnerPath the partner's, for staff */
export const readDailyTotals = async (
  { staff, unrecordedStaff }: Parties,
  { partner, merchant }: Readonly<{ partner: RawClient; merchant: RawClient }>,
  { partnerPath, merchantId }: Readonly<{ partnerPath: string; merchantId: string }>,
): Promise<void> => {
  const path = 'daily-totals?unit=EUR'
  const read = () => ok<{ totals: unknown[] }>(unrecordedStaff.get(`/api/operator/${path}`))
  await eventually(async () => (await read()).totals.length > 0)
  await ok(partner.get(`/api/v1/partner/${path}`))
  await ok(merchant.get(`/api/user/${path}`))
  await ok(staff.get(`/api/operator/${path}`))
  await ok(staff.get(`${partnerPath}/${path}`))
  await ok(staff.get(`/api/operator/merchants/${merchantId}/${path}`))
}

/** Orders of both kinds, as a merchant and its partner's people read them. @param partnerPath the partner's, for staff */
export const readOrders = async (
  staff: RawClient,
  merchant: RawClient,
  partnerPath: string,
): Promise<void> => {
  await ok(merchant.get('/api/user/orders?limit=2'))
  await ok(staff.get(`${partnerPath}/orders?limit=2`))
}

/** How a processor has settled a card order, as its merchant reads it. */
export const readSettlements = async (merchant: RawClient, databases: Databases): Promise<void> => {
  const found = await databases.query(
    'ledger',
    `SELECT j.order_key FROM books.journal AS j JOIN books.entries AS e USING (seq)
     WHERE e.kind = 'payment' ORDER BY j.seq LIMIT 1`,
    [],
  )
  const { order_key: orderKey } = found?.rows[0] as { order_key: string }
  await databases.query(
    'ledger',
    `INSERT INTO settlement_lines (processor, line_id, kind, processor_order_id, gross_cents, fee_cents, net_cents,
       currency, available_on, payout_ref, imported_at, order_key, status)
     VALUES ('processor', 'txn_2001', 'payment', 'cs_9', 10250, 165, 10085, 'EUR', '2026-11-20', 'po_32', now(), $1, 'done')`,
    [orderKey],
  )
  await ok(merchant.get(`/api/user/fiat-orders/${orderKey}/settlements`))
}

/** How the money of a crypto order reached the platform, as its merchant reads it. */
export const readDeposits = async (merchant: RawClient, databases: Databases): Promise<void> => {
  const found = await databases.query(
    'payments',
    `SELECT d.order_id FROM crypto_deposits AS d WHERE d.counted_at IS NOT NULL ORDER BY d.order_id LIMIT 1`,
    [],
  )
  const { order_id: orderId } = found?.rows[0] as { order_id: string }
  await ok(merchant.get(`/api/user/orders/${orderId}/deposits`))
}

/** A payout as the customer's partner and its merchant read it. @param path the customer's */
export const readPayout = async (
  { partner, merchant }: Readonly<{ partner: RawClient; merchant: RawClient }>,
  path: string,
  payoutId: string,
): Promise<void> => {
  await ok(partner.get(`${path}/payouts`))
  await ok(partner.get(`/api/v1/partner/payouts/${payoutId}`))
  await ok(partner.get(`/api/v1/partner/payouts/${payoutId}/entries`))
  await ok(merchant.get('/api/user/payouts'))
  await ok(merchant.get(`/api/user/payouts/${payoutId}`))
  await ok(merchant.get(`/api/user/payouts/${payoutId}/entries`))
}

/** Staff pay the partner what it has earned, and the partner reads it. @param path the partner's */
export const payPartner = async (
  { staff, unrecordedStaff }: Parties,
  partner: RawClient,
  path: string,
): Promise<void> => {
  const earned = { unit: 'EUR', amount: 1_800, reason: 'Fees of orders before the books' }
  const partnerId = path.split('/').at(-1)
  await ok(unrecordedStaff.post('/api/operator/ledger/adjustments', { partner_id: partnerId, ...earned }))
  await ok(
    staff.post(`${path}/payouts`, {
      amount_cents: 1_800,
      currency: 'EUR',
      scheduled_for: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    }),
  )
  await ok(partner.get('/api/v1/partner/payouts'))
}

/** A partner takes a report. @param unrecorded its client while the report is made */
export const takeReport = async (partner: RawClient, unrecorded: RawClient, from: string): Promise<void> => {
  const to = new Date(Date.parse(from) + 86_400_000).toISOString()
  const question = { type: 'activity', from, to, format: 'csv' }
  const { report } = await ok<{ report: { report_id: string } }>(
    partner.post('/api/v1/partner/reports', question, key()),
  )
  const path = `/api/v1/partner/reports/${report.report_id}`
  const isReady = async () =>
    (await ok<{ report: { status: string } }>(unrecorded.get(path))).report.status === 'ready'
  await eventually(isReady)
  await ok(partner.get(path))
}

/** A merchant or a partner takes the statement of the month, once it is sealed. @param clients its clients */
export const readStatement = async (
  { recorded, unrecorded }: Readonly<{ recorded: RawClient; unrecorded: RawClient }>,
  path: string,
): Promise<void> => {
  const isSealed = async () =>
    (await ok<{ statement: { units: unknown[] } }>(unrecorded.get(path))).statement.units.length > 0
  await eventually(isSealed)
  await ok(recorded.get(`${path}?limit=1`))
}

/** Staff read the books, and correct a balance. @param customerId whose balance */
export const readBooks = async ({ staff }: Parties, customerId: string): Promise<void> => {
  const ledger = '/api/operator/ledger'
  const adjustment = { unit: 'EUR', amount: 500, reason: 'Goodwill, agreed by e-mail on 2026-11-20' }
  await ok(staff.post(`${ledger}/adjustments`, { partner_customer_id: customerId, ...adjustment }, key()))
  const { accounts } = await ok<{ accounts: { account_id: string }[] }>(
    staff.get(`${ledger}/accounts?unit=EUR&limit=2`),
  )
  const { entries } = await ok<{ entries: { journal_id: string }[] }>(
    staff.get(`${ledger}/accounts/${accounts[0]?.account_id}/entries?limit=1`),
  )
  await ok(staff.get(`${ledger}/journal/${entries[0]?.journal_id}`))
  await ok(staff.get(`${ledger}/trial-balance`))
  await ok(staff.get(`${ledger}/exceptions`))
}

/** Staff set the reserve plan of a merchant, read it, and end it. */
export const planReserve = async ({ staff }: Parties, merchantId: string): Promise<void> => {
  const path = `/api/operator/merchants/${merchantId}/reserve-plan`
  await ok(staff.post(path, { share_percent: 7.5, days: 90 }))
  await ok(staff.get(path))
  await ok(staff.delete(path))
}

const SETTLED = [
  'line_id,kind,processor_order_id,gross_cents,fee_cents,net_cents,currency,available_on,payout_ref',
  'txn_1042,payment,cs_7,10000,165,9835,EUR,2026-11-20,po_31',
  'txn_1043,payout,,-9835,0,-9835,EUR,2026-11-20,po_31',
  '',
].join('\r\n')

/** Staff import a processor's settlement report. */
export const importSettlement = async ({ platform, record }: Parties): Promise<void> => {
  const path = '/api/operator/settlements/import?processor=processor'
  const answer = await fetch(`${platform.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
    body: SETTLED,
  })
  record(
    { method: 'POST', path, body: SETTLED },
    { status: answer.status, body: (await answer.json()) as Record<string, unknown> },
  )
}

/** Staff examine a difference that the imported report has, and close it. */
export const closeDifference = async ({ staff, unrecordedStaff }: Parties): Promise<void> => {
  const path = '/api/operator/ledger/differences'
  const read = (client: RawClient) => ok<{ differences: { difference_id: string }[] }>(client.get(path))
  await eventually(async () => (await read(unrecordedStaff)).differences.length === 1)
  const [difference] = (await read(staff)).differences
  const reason = 'A payment of another account, which the processor settled here by mistake'
  await ok(staff.post(`${path}/${difference?.difference_id}/close`, { reason }))
}
