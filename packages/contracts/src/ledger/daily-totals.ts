import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf } from '../primitives.ts'
import { EntryKind } from './balance-entries.ts'
import { LedgerAmount, LedgerUnit } from './units.ts'

/** Days of a reply, at most. */
export const MAX_TOTAL_DAYS = 184
/** Days for which totals are kept. */
export const TOTALS_KEPT_DAYS = 400
/** Days of a reply whose request names none. */
export const DEFAULT_TOTAL_DAYS = 30

const Day = z.iso.date()

/** The entries of one kind that took effect on a day (UTC), in one unit. */
export const DailyTotal = z.object({
  day: Day,
  unit: z.string(),
  kind: EntryKind,
  /** Signed sum: positive is what the owners received. */
  amount: LedgerAmount,
  /** Entries, less those that were reversed. */
  entries: z.number().int(),
})
export type DailyTotal = z.infer<typeof DailyTotal>
export const DailyTotalList = z.object({ totals: z.array(DailyTotal) })

const query = {
  since: Day.optional().meta({
    description: `First day (UTC); ${DEFAULT_TOTAL_DAYS} days up to \`until\` if left out`,
  }),
  until: Day.optional().meta({ description: 'Last day (UTC), inclusive; today if left out' }),
  unit: LedgerUnit.optional(),
}

const description = `A day is in UTC, and an entry belongs to the day on which it took effect. Transfers between balances of one owner are left out. At most ${MAX_TOTAL_DAYS} days of the last ${TOTALS_KEPT_DAYS}; new entries are included within seconds.`

/** `ledger.daily-totals`: sums of balance entries by day, unit and kind (decisions §60). */
export const dailyTotals = resource('ledger.daily-totals', {
  list: operation({
    operationId: 'listDailyTotals',
    http: get('/daily-totals', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List the sums of all customers’ balance entries by day',
    description: `Use it to draw how payments, refunds, disputes and fees develop. ${description}`,
    query: z.object(query),
    reply: DailyTotalList,
    refusals: ['invalid_request'],
  }),
  listByMerchant: operation({
    operationId: 'listMerchantDailyTotals',
    http: get('/daily-totals'),
    tag: 'Merchant balances',
    summary: 'List the sums of the merchant’s balance entries by day',
    description: `Use it to draw how payments, refunds, disputes and fees develop. ${description}`,
    caller: 'merchant',
    query: z.object(query),
    reply: DailyTotalList,
    refusals: ['invalid_request'],
  }),
  listOfPlatform: operation({
    operationId: 'listPlatformDailyTotals',
    http: get('/daily-totals'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the sums of the balance entries of all customers of all partners by day',
    description: `Use it to draw how payments, refunds, disputes and fees develop. ${description}`,
    caller: 'operator',
    query: z.object(query),
    reply: DailyTotalList,
    refusals: ['invalid_request'],
  }),
  listOfPartner: operation({
    operationId: 'listPartnerDailyTotals',
    http: get('/partners/:partnerId/daily-totals', { ofPartner: true, portal: true }),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the sums of the balance entries of all customers of a partner by day',
    description: `Use it to compare partners. ${description}`,
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    query: z.object(query),
    reply: DailyTotalList,
    refusals: ['invalid_request'],
  }),
  listOfMerchant: operation({
    operationId: 'listDailyTotalsOfMerchant',
    http: get('/merchants/:customerId/daily-totals', { ofMerchant: true }),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the sums of a merchant’s balance entries by day',
    description: `Use it to see how a merchant develops. ${description}`,
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    query: z.object(query),
    reply: DailyTotalList,
    refusals: ['invalid_request'],
  }),
})
