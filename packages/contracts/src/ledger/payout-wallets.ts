import { z } from 'zod'
import { del, get, post } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { Asset, ASSETS_OF_NETWORKS, Network, NETWORK_ASSETS } from '../payments/networks.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'

/** Most payout wallets of a customer, deleted ones not included. */
export const MAX_PAYOUT_WALLETS = 20

const MAX_ADDRESS_LENGTH = 128
const MAX_IBAN_LENGTH = 64
const MAX_NAME_LENGTH = 140
const MAX_SIGNATURE_LENGTH = 1_000
const MAX_PUBLIC_KEY_LENGTH = 200
const MAX_REASON_LENGTH = 500

/** `proof_required → waiting → active`; each may become `refused` (decisions §50). */
export const PayoutWalletStatus = z.enum(['proof_required', 'waiting', 'active', 'refused'])
export type PayoutWalletStatus = z.infer<typeof PayoutWalletStatus>

export const PayoutWalletKind = z.enum(['iban', 'address'])
export type PayoutWalletKind = z.infer<typeof PayoutWalletKind>

/** A destination of payouts of one customer (decisions §50). */
export const PayoutWallet = z.object({
  payout_wallet_id: idOf('payoutWallet'),
  partner_customer_id: idOf('relationship'),
  kind: PayoutWalletKind,
  unit: z.string(),
  masked: z.string().meta({ description: 'Account or address, shortened, such as `DE•• •••• 4242`' }),
  address: z.string().nullable().meta({
    description: 'The whole address in its canonical spelling: compare all of it. Null for an IBAN',
  }),
  status: PayoutWalletStatus,
  confirmed_at: Timestamp.nullable(),
  proved_at: Timestamp.nullable(),
  usable_from: Timestamp,
  proof: z.object({ message: z.string() }).nullable().meta({
    description: 'Message to sign with the key of the address. Null: nothing can be, or must be, proved',
  }),
  refusal_reason: z.string().nullable(),
  created_at: Timestamp,
})
export type PayoutWallet = z.infer<typeof PayoutWallet>

/** The same as staff see it. */
export const StaffPayoutWallet = PayoutWallet.extend({
  partner_id: idOf('partner'),
  customer_id: idOf('merchant'),
})
export type StaffPayoutWallet = z.infer<typeof StaffPayoutWallet>

/** A bank account or an address, as a partner names it. */
const body = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('iban'),
    iban: text(MAX_IBAN_LENGTH),
    holder_name: text(MAX_NAME_LENGTH),
    bic: text(11).optional(),
  }),
  z
    .strictObject({
      kind: z.literal('address'),
      network: Network,
      asset: Asset,
      address: text(MAX_ADDRESS_LENGTH),
    })
    .refine(({ network, asset }) => (NETWORK_ASSETS[network] as readonly Asset[]).includes(asset), {
      path: ['asset'],
      params: { reason: 'invalid_value', expected: ASSETS_OF_NETWORKS },
    }),
])
export type NewPayoutWallet = z.output<typeof body>

const walletParams = z.object({ ...customerParams.shape, payoutWalletId: idOf('payoutWallet') })
const staffParams = z.object({ payoutWalletId: idOf('payoutWallet') })
const ofCustomer = ['resource_not_found', 'capability_not_enabled'] as const
const byStaff = {
  caller: 'operator',
  role: 'finance',
  tag: 'Payments',
  fourEyes: ['destinations'],
  repeatable: true,
  params: staffParams,
  reply: z.object({ payout_wallet: StaffPayoutWallet }),
  refusals: ['resource_not_found', 'invalid_state'],
} as const

/** `ledger.payout-wallets`: where payouts go (decisions §50). */
export const payoutWallets = resource('ledger.payout-wallets', {
  create: operation({
    operationId: 'createPayoutWallet',
    audited: true,
    http: post('/customers/:customerId/payout-wallets', { scopes: ['payouts:write'], status: 201 }),
    tag: 'Balances',
    summary: 'Add a bank account or an address that payouts of a customer go to',
    description:
      'It can be used from `usable_from`, once staff have confirmed it or the owner of the address has proved it (`provePayoutWallet`). Compare the whole `address` in the response with the one that you meant. A destination cannot be changed: add another, and delete the old one. It needs the capability `payout_wallets`.',
    idempotent: true,
    params: customerParams,
    body,
    reply: z.object({ payout_wallet: PayoutWallet }),
    refusals: [
      ...ofCustomer,
      'invalid_request',
      'limit_reached',
      'idempotency_key_reuse',
      'temporarily_unavailable',
    ],
  }),
  list: operation({
    operationId: 'listPayoutWallets',
    http: get('/customers/:customerId/payout-wallets', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'List the destinations of a customer’s payouts, newest first',
    description: `Use it to choose where a payout goes. A customer has at most ${MAX_PAYOUT_WALLETS}. It needs the capability \`payout_wallets\`.`,
    params: customerParams,
    reply: z.object({ payout_wallets: z.array(PayoutWallet).max(MAX_PAYOUT_WALLETS) }),
    refusals: ofCustomer,
  }),
  get: operation({
    operationId: 'getPayoutWallet',
    http: get('/customers/:customerId/payout-wallets/:payoutWalletId', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'Get a destination of a customer’s payouts',
    description: 'Use it to see whether it is `active`. A deleted one is not found.',
    params: walletParams,
    reply: z.object({ payout_wallet: PayoutWallet }),
    refusals: ofCustomer,
  }),
  delete: operation({
    operationId: 'deletePayoutWallet',
    audited: true,
    http: del('/customers/:customerId/payout-wallets/:payoutWalletId', {
      scopes: ['payouts:write'],
      status: 204,
    }),
    tag: 'Balances',
    summary: 'Delete a destination of a customer’s payouts',
    description: 'It takes no further payouts. Payouts that were made to it before still go to it.',
    params: walletParams,
    reply: z.object({}),
    refusals: ofCustomer,
  }),
  prove: operation({
    operationId: 'provePayoutWallet',
    audited: true,
    http: post('/customers/:customerId/payout-wallets/:payoutWalletId/proof', { scopes: ['payouts:write'] }),
    tag: 'Balances',
    summary: 'Prove by a signature that the customer holds the key of an address',
    description:
      'Have the wallet of the address sign `proof.message` as it is. `signature` is that of EIP-191 (`personal_sign`) in hex on ETH, BIP-322 (simple) or the older form in base64 on BTC and LTC, and Ed25519 in base58 or base64 on SOL. A proved destination becomes active at `usable_from` without staff.',
    idempotent: true,
    params: walletParams,
    body: z.strictObject({
      signature: text(MAX_SIGNATURE_LENGTH),
      public_key: text(MAX_PUBLIC_KEY_LENGTH)
        .optional()
        .meta({ description: 'Not needed on any of these networks: the signature or the address tells it' }),
    }),
    reply: z.object({ payout_wallet: PayoutWallet }),
    refusals: [...ofCustomer, 'invalid_request', 'invalid_state', 'idempotency_key_reuse'],
  }),
  listByStaff: operation({
    operationId: 'listPayoutWalletsByStaff',
    http: get('/payout-wallets'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the destinations of payouts of all customers by status, oldest first',
    description: 'Use it as the queue of destinations to confirm: `status=waiting`, the default.',
    caller: 'operator',
    query: z.object({
      status: PayoutWalletStatus.default('waiting'),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: z.object({ payout_wallets: z.array(StaffPayoutWallet), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  confirm: operation({
    ...byStaff,
    operationId: 'confirmPayoutWallet',
    http: post('/payout-wallets/:payoutWalletId/confirm'),
    summary: 'Confirm a destination of a customer’s payouts',
    description:
      'Use it after you have verified with the customer, on a channel that you know, that the destination is its own. It becomes active at `usable_from`.',
  }),
  refuse: operation({
    ...byStaff,
    operationId: 'refusePayoutWallet',
    http: post('/payout-wallets/:payoutWalletId/refuse'),
    summary: 'Refuse a destination of a customer’s payouts',
    description: 'Use it when the destination is not the customer’s own. An active one is refused too.',
    body: z.strictObject({ reason: text(MAX_REASON_LENGTH) }),
  }),
})
