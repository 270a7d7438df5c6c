import { z } from 'zod'
import { get } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { Timestamp } from '../primitives.ts'
import { Asset, Network } from '../payments/networks.ts'
import { LedgerAmount, MerchantOwner } from './units.ts'

const balances = {
  pending: LedgerAmount,
  available: LedgerAmount,
  reserved: LedgerAmount,
  on_the_way: LedgerAmount,
}

/** The four balances of a relationship, or of a partner, in one unit (decisions §47). */
export const Wallet = z.object({
  unit: z.string(),
  kind: z.enum(['fiat', 'crypto']),
  /** Set for fiat: amounts are integers of its minor unit. */
  currency: z.string().optional(),
  /** Set for crypto: amounts are decimal numbers of the asset as text. */
  network: Network.optional(),
  asset: Asset.optional(),
  ...balances,
  /** When the next part of `pending` becomes available; null if nothing is due. */
  next_available_at: Timestamp.nullable(),
  as_of: Timestamp,
})
export type Wallet = z.infer<typeof Wallet>
export const WalletList = z.object({ wallets: z.array(Wallet) })

/** A merchant's balances in one unit: of one relationship, or of all of them together. */
export const MerchantBalance = z.object({
  /** Null: the sum of all. The merchant's own id: what is booked at the merchant itself. */
  partnerCustomerId: MerchantOwner.nullable(),
  unit: z.string(),
  pending: LedgerAmount,
  available: LedgerAmount,
  reserved: LedgerAmount,
  onTheWay: LedgerAmount,
})
export type MerchantBalance = z.infer<typeof MerchantBalance>
export const MerchantBalanceList = z.object({ balances: z.array(MerchantBalance) })

/** `ledger.wallets`: what is owed to relationships, partners and merchants (decisions §48). */
export const wallets = resource('ledger.wallets', {
  list: operation({
    operationId: 'listWallets',
    http: get('/customers/:customerId/wallets', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List the balances of a customer by unit',
    description:
      'Use it for what is owed to a customer. A payment is `pending` first and becomes `available` later. It needs the capability `wallets`.',
    params: customerParams,
    reply: WalletList,
    refusals: ['resource_not_found', 'capability_not_enabled'],
  }),
  listOwn: operation({
    operationId: 'listOwnWallets',
    http: get('/balance', { scopes: ['partner:read'] }),
    tag: 'Balances',
    summary: 'List the partner’s own earnings by unit',
    description: 'Use it for the fees that the partner has earned from its customers’ payments.',
    reply: WalletList,
  }),
  listByMerchant: operation({
    operationId: 'listBalances',
    http: get('/balances'),
    tag: 'Merchant balances',
    summary: 'List the merchant’s balances by relationship and unit, and their sums',
    description:
      'Use it for what is owed to the merchant. Balances whose `partnerCustomerId` is null are sums over all of them; one with your own id is booked at no relationship.',
    caller: 'merchant',
    reply: MerchantBalanceList,
  }),
})
