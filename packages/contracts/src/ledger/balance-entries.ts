import { z } from 'zod'
import { get } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { OrderKey } from '../payments/fiat-orders.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  optionalText,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import { LedgerAmount, LedgerUnit, MerchantOwner } from './units.ts'

/** The balances of a relationship in one unit (decisions §47). */
export const BalanceName = z.enum(['pending', 'available', 'reserved', 'on_the_way'])

/** Every kind of entry (decisions §48). */
export const ENTRY_KINDS = [
  'payment',
  'service_fee',
  'partner_fee',
  'split',
  'refund',
  'fee_returned',
  'dispute',
  'dispute_fee',
  'dispute_reversed',
  'release',
  'reserve',
  'reserve_released',
  'payout',
  'payout_fee',
  'payout_returned',
  'deposit',
  'deposit_reverted',
  'conversion',
  'network_fee',
  'adjustment',
] as const
export const EntryKind = z.enum(ENTRY_KINDS)
export type EntryKind = z.infer<typeof EntryKind>

/** One change of one balance. */
export const BalanceEntry = z.object({
  entry_id: idOf('entry'),
  kind: EntryKind,
  unit: z.string(),
  balance: BalanceName,
  /** Signed. */
  amount: LedgerAmount,
  balance_after: LedgerAmount,
  /** Set for card orders. */
  order_key: OrderKey.nullable(),
  order_id: z.string().nullable(),
  payout_id: idOf('payout').nullable(),
  /** The entry that this one takes back. */
  reverses: idOf('entry').nullable(),
  estimated: z.boolean(),
  effective_at: Timestamp,
  recorded_at: Timestamp,
})
export type BalanceEntry = z.infer<typeof BalanceEntry>
export const BalanceEntryList = z.object({
  balance_entries: z.array(BalanceEntry),
  next_cursor: NextCursor,
})

/** A change of a merchant's balances, by relationship. */
export const MerchantBalanceEntry = z.object({
  entryId: idOf('entry'),
  /** The merchant's own id: booked at the merchant itself. */
  partnerCustomerId: MerchantOwner,
  kind: EntryKind,
  unit: z.string(),
  balance: BalanceName,
  amount: LedgerAmount,
  balanceAfter: LedgerAmount,
  orderKey: OrderKey.nullable(),
  orderId: z.string().nullable(),
  payoutId: idOf('payout').nullable(),
  reverses: idOf('entry').nullable(),
  estimated: z.boolean(),
  effectiveAt: Timestamp,
  recordedAt: Timestamp,
})
export const MerchantBalanceEntryList = z.object({
  balanceEntries: z.array(MerchantBalanceEntry),
  nextCursor: NextCursor,
})

/** Ids in filters select nothing if they are unknown. */
const idFilter = optionalText(100).optional()

const query = z.object({
  unit: LedgerUnit.optional(),
  kind: EntryKind.optional(),
  balance: BalanceName.optional(),
  since: TimestampInput.optional().meta({ description: 'Earliest `recorded_at`, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest `recorded_at`, exclusive' }),
  payout_id: idFilter,
  order_key: idFilter,
  order_id: idFilter,
  limit: limitParameter(25, 100),
  before: cursorParameter,
})
export type EntryQuery = z.output<typeof query>

/** `ledger.balance-entries`: the entries that add up to balances, newest first (decisions §48). */
export const balanceEntries = resource('ledger.balance-entries', {
  list: operation({
    operationId: 'listBalanceEntries',
    http: get('/customers/:customerId/balance-entries', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List the entries of a customer’s balances, newest first',
    description:
      'Use it to explain a balance, or to find what was recorded for an order. A balance is the sum of its entries. It needs the capability `wallets`.',
    params: customerParams,
    query,
    reply: BalanceEntryList,
    refusals: ['resource_not_found', 'capability_not_enabled', 'invalid_cursor'],
  }),
  listOwn: operation({
    operationId: 'listOwnBalanceEntries',
    http: get('/balance-entries', { scopes: ['partner:read'] }),
    tag: 'Balances',
    summary: 'List the entries of the partner’s own balances, newest first',
    description: 'Use it to explain what the partner has earned.',
    query,
    reply: BalanceEntryList,
    refusals: ['invalid_cursor'],
  }),
  listByMerchant: operation({
    operationId: 'listMerchantBalanceEntries',
    http: get('/balance-entries'),
    tag: 'Merchant balances',
    summary: 'List the entries of the merchant’s balances, newest first',
    description: 'Use it to explain the merchant’s balances, over all of its relationships.',
    caller: 'merchant',
    query,
    reply: MerchantBalanceEntryList,
    refusals: ['invalid_cursor'],
  }),
})
