import { z } from 'zod'
import { get } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'
import { BalanceEntry, MerchantBalanceEntry } from './balance-entries.ts'
import { CustomerPayout, MerchantPayout, PartnerPayout } from './payouts.ts'
import { ScheduleDay, ScheduleInterval, Weekday } from './payout-terms.ts'
import { LedgerAmount } from './units.ts'

const paidPart = 'Part of the entry that this payout pays. All parts and the advance add up to the payout'

/** An entry with the part of it that a payout pays. */
const PaidEntry = BalanceEntry.extend({ paid_amount: LedgerAmount.meta({ description: paidPart }) })
const MerchantPaidEntry = MerchantBalanceEntry.extend({
  paidAmount: LedgerAmount.meta({ description: paidPart }),
})

/** A schedule as merchants read it. */
const MerchantSchedule = z.object({
  unit: z.string(),
  interval: ScheduleInterval,
  weekday: Weekday.nullable(),
  day: ScheduleDay.nullable(),
  minimumAmount: LedgerAmount,
  payoutWalletId: z.string().nullable(),
})

/** A payout as its merchant reads it. */
export const MerchantsPayout = MerchantPayout.extend({
  currency: z.string().optional().meta({ description: 'Set for fiat' }),
  /** Schedule by which it was made. */
  schedule: MerchantSchedule.nullable(),
  scheduledFor: Timestamp,
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
})
export type MerchantsPayout = z.infer<typeof MerchantsPayout>

const payoutParams = z.object({ payoutId: idOf('payout') })
const pageQuery = z.object({ limit: limitParameter(25, 100), before: cursorParameter })

/** `ledger.paid-out`: payouts as their partner and merchant read them (decisions §48). */
export const paidOut = resource('ledger.paid-out', {
  list: operation({
    operationId: 'listCustomerPayouts',
    http: get('/customers/:customerId/payouts', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List the payouts of a customer, newest first',
    description: 'Use it to match payouts with the customer’s account. It needs the capability `payouts`.',
    params: customerParams,
    query: pageQuery,
    reply: z.object({ payouts: z.array(CustomerPayout), next_cursor: NextCursor }),
    refusals: ['resource_not_found', 'capability_not_enabled', 'invalid_cursor'],
  }),
  listOwn: operation({
    operationId: 'listPartnerPayouts',
    http: get('/payouts', { scopes: ['partner:read'] }),
    tag: 'Balances',
    summary: 'List the payouts of the partner’s own earnings, newest first',
    description: 'Use it to match what you were paid with your account.',
    query: pageQuery,
    reply: z.object({ payouts: z.array(PartnerPayout), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getPayout',
    http: get('/payouts/:payoutId', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'Get a payout to a customer, or of the partner’s own earnings',
    description: 'Use it for how a payout adds up: the fields of `summary` together are its amount.',
    params: payoutParams,
    reply: z.object({ payout: z.union([CustomerPayout, PartnerPayout]) }),
    refusals: ['resource_not_found', 'capability_not_enabled'],
  }),
  listEntries: operation({
    operationId: 'listPayoutEntries',
    http: get('/payouts/:payoutId/entries', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List exactly the entries that a payout pays, newest first',
    description:
      'Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.',
    params: payoutParams,
    query: pageQuery,
    reply: z.object({ balance_entries: z.array(PaidEntry), next_cursor: NextCursor }),
    refusals: ['resource_not_found', 'capability_not_enabled', 'invalid_cursor'],
  }),
  listByMerchant: operation({
    operationId: 'listMerchantPayouts',
    http: get('/payouts'),
    tag: 'Merchant balances',
    summary: 'List the merchant’s payouts, newest first',
    description: 'Use it to match payouts with your account.',
    caller: 'merchant',
    query: pageQuery,
    reply: z.object({ payouts: z.array(MerchantsPayout), nextCursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  getByMerchant: operation({
    operationId: 'getMerchantPayout',
    http: get('/payouts/:payoutId'),
    tag: 'Merchant balances',
    summary: 'Get a payout',
    description: 'Use it for how a payout adds up: the fields of `summary` together are its amount.',
    caller: 'merchant',
    params: payoutParams,
    reply: z.object({ payout: MerchantsPayout }),
    refusals: ['resource_not_found'],
  }),
  listEntriesByMerchant: operation({
    operationId: 'listMerchantPayoutEntries',
    http: get('/payouts/:payoutId/entries'),
    tag: 'Merchant balances',
    summary: 'List exactly the entries that a payout pays, newest first',
    description:
      'Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.',
    caller: 'merchant',
    params: payoutParams,
    query: pageQuery,
    reply: z.object({ balanceEntries: z.array(MerchantPaidEntry), nextCursor: NextCursor }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
})
