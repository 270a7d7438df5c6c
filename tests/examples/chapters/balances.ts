import { eventually } from '@causeway/chassis/testing'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { key, ok, type Parties } from '../story.ts'

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

/** A merchant takes the statement of the month, once it is sealed. @param merchants its clients */
export const readStatement = async (
  { merchant, unrecorded }: Readonly<{ merchant: RawClient; unrecorded: RawClient }>,
  month: string,
): Promise<void> => {
  const path = `/api/user/statements/${month}`
  const isSealed = async () =>
    (await ok<{ statement: { units: unknown[] } }>(unrecorded.get(path))).statement.units.length > 0
  await eventually(isSealed)
  await ok(merchant.get(`${path}?limit=1`))
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
