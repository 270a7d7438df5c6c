import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  DecimalString,
  idOf,
  limitParameter,
  NextCursor,
  text,
  Timestamp,
} from '../primitives.ts'
import { CryptoOrderStatus } from './crypto-orders.ts'
import {
  CryptoRefund,
  REFUND_REFUSALS,
  RefundPlan,
  RefundPlanQuery,
  RefundRequest,
  SIGNER_WAIT_MS,
} from './crypto-refunds.ts'
import { Network } from './networks.ts'
import { FiatOrderStatus, OrderKey } from './fiat-orders.ts'

/**
 * Why money counts for no order (decisions §52): `excess` is what the deposit that paid the order brought beyond the
 * amount due, `second` a further deposit to a paid order, `late` a deposit to an order that had ended, `foreign` one in
 * another asset than the order's, `unknown` one that names no order, `card_after_end` a card payment that completed after
 * its order had ended, `card_mismatch` one that captured less than its order asks for or another currency. What a card
 * payment captured beyond its order is `excess` too.
 */
export const UNATTRIBUTED_MONEY_KINDS = [
  'excess',
  'second',
  'late',
  'foreign',
  'unknown',
  'card_after_end',
  'card_mismatch',
] as const
export const UnattributedMoneyKind = z.enum(UNATTRIBUTED_MONEY_KINDS)
export type UnattributedMoneyKind = z.infer<typeof UnattributedMoneyKind>

/** `refunding`: it is being sent back. */
export const UnattributedMoneyStatus = z.enum(['open', 'refunding', 'ended'])
export type UnattributedMoneyStatus = z.infer<typeof UnattributedMoneyStatus>

/**
 * How it left the list. By staff: `refund`, `applied`, `kept`, `handled`. By itself: `counted` (it counts for its order
 * after all), `reverted` (the chain has taken it back).
 */
export const UnattributedMoneyEnd = z.enum(['refund', 'applied', 'kept', 'handled', 'counted', 'reverted'])
export type UnattributedMoneyEnd = z.infer<typeof UnattributedMoneyEnd>

export const UnattributedMoney = z.object({
  unattributed_money_id: idOf('unattributedMoney'),
  kind: UnattributedMoneyKind,
  /** A currency (`EUR`), or an asset on its network (`ETH/USDC`). */
  unit: z.string(),
  /** Minor units of a currency; a decimal number as text of an asset. */
  amount: z.union([z.number().int(), DecimalString]),
  /** Crypto order. */
  order_id: idOf('cryptoOrder').nullable(),
  /** Card order. */
  order_key: OrderKey.nullable(),
  order_status: z.union([CryptoOrderStatus, FiatOrderStatus]).nullable(),
  reference: z.string().nullable(),
  customer_id: idOf('merchant').nullable(),
  partner_id: idOf('partner').nullable(),
  partner_customer_id: idOf('relationship').nullable(),
  network: Network.nullable(),
  /** The address that holds it. */
  address: z.string().nullable(),
  /** Who sent it, of unknown money on SOL and XRP where the chain tells. */
  sender: z.string().nullable(),
  tx_id: z.string().nullable(),
  output_index: z.number().int().nullable(),
  block_number: z.number().int().nullable(),
  processor: z.string().nullable(),
  processor_order_id: z.string().nullable(),
  received_at: Timestamp,
  status: UnattributedMoneyStatus,
  ended_by: UnattributedMoneyEnd.nullable(),
  ended_at: Timestamp.nullable(),
  /** What staff stated: the merchant's consent, or why it was kept or handled by hand. */
  reason: z.string().nullable(),
  /** The transaction that sent it elsewhere. */
  ended_tx_id: z.string().nullable(),
})
export type UnattributedMoney = z.infer<typeof UnattributedMoney>

export const UnattributedMoneyList = z.object({
  unattributed_money: z.array(UnattributedMoney),
  next_cursor: NextCursor,
})

const one = z.object({ unattributed_money: UnattributedMoney })
const params = z.object({ unattributedMoneyId: idOf('unattributedMoney') })

/** `payments.unattributed-money`: money that counts for no order, and how staff end it (decisions §52). */
export const unattributedMoney = resource('payments.unattributed-money', {
  list: operation({
    operationId: 'listUnattributedMoney',
    summary: 'List money that counts for no order, oldest first',
    description:
      'Use it as the queue of deposits and card payments that need a decision: refund each, apply it with the merchant’s consent, keep it, or say that it was handled by hand.',
    caller: 'operator',
    query: z.object({
      status: UnattributedMoneyStatus.default('open'),
      kind: UnattributedMoneyKind.optional(),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: UnattributedMoneyList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getUnattributedMoney',
    summary: 'Read one amount that counts for no order',
    description: 'Use it to see what an amount is, where it is held, and how it ended.',
    caller: 'operator',
    params,
    reply: z.object({
      unattributed_money: UnattributedMoney,
      /** The last refund that takes it, or took it, by the signer; left out where there was none. */
      refund: CryptoRefund.optional(),
    }),
    refusals: ['resource_not_found'],
  }),
  apply: operation({
    operationId: 'applyUnattributedMoney',
    summary: 'Apply an amount to its order, with the merchant’s consent',
    description:
      'Use it when the merchant accepts what arrived as the payment: an order that had ended becomes `paid`, what was beyond the amount due stays with the merchant. Unknown money needs `order_id` and becomes a deposit of that order. A card payment that captured less than its order asks for, or another currency, is refused. The same call again answers with the record.',
    caller: 'operator',
    params,
    body: z.strictObject({ merchant_consent: text(500), order_id: idOf('cryptoOrder').optional() }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  keep: operation({
    operationId: 'keepUnattributedMoney',
    summary: 'Keep an amount, with a reason',
    description: 'Use it for an amount that is not worth sending back. It never counts towards the order.',
    caller: 'operator',
    params,
    body: z.strictObject({ reason: text(500) }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  handled: operation({
    operationId: 'markUnattributedMoneyHandled',
    summary: 'Say that an amount was handled by hand',
    description:
      'Use it after sending the amount elsewhere by other means, with the transaction where there is one: of a card payment, the reference of the refund at its processor. It never counts towards the order.',
    caller: 'operator',
    params,
    body: z.strictObject({ reason: text(500), tx_id: text(128).optional() }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  refund: operation({
    operationId: 'refundUnattributedMoney',
    summary: 'Send an amount back to an address, or record that staff sent it back',
    description:
      'Use it for a deposit that staff have decided to send back. The signer sends it from the address that holds it, and `refund` says how far it is. Without a signer, and with `sent_by_hand`, it records what staff sent; unknown money of an account that all orders share has no other way. A card payment is refunded at its processor. Read the plan first, and pass what it shows as `expected`.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params,
    body: RefundRequest,
    reply: z.object({ unattributed_money: UnattributedMoney, refund: CryptoRefund.optional() }),
    refusals: REFUND_REFUSALS,
  }),
  getRefundPlan: operation({
    operationId: 'getUnattributedMoneyRefundPlan',
    summary: 'Read what a refund of an amount would send, from where, and what the network takes',
    description: 'Use it before asking for the refund: `expected` of the refund binds it to this plan.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params,
    query: RefundPlanQuery,
    reply: z.object({ plan: RefundPlan }),
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state', 'not_refundable'],
  }),
})
