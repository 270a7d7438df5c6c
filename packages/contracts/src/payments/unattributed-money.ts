import { z } from 'zod'
import { get, post } from '../http/methods.ts'
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
  TxBlock,
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
 * How it left the list. By staff: `refund`, `applied`, `kept`, `handled`. Automatically: `counted` (it counts for its order
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
  /** Statement of staff: the merchant's consent, or why it was kept or handled by hand. */
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
    http: get('/unattributed-money'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List money that counts for no order, oldest first',
    description:
      'Use it as the queue of deposits and card payments that need a decision: refund each one, apply it with the merchant’s consent, keep it, or record that it was handled by hand.',
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
    http: get('/unattributed-money/:unattributedMoneyId'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get an amount that counts for no order',
    description: 'Use it to see the amount, where it is held, and its outcome.',
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
    http: post('/unattributed-money/:unattributedMoneyId/apply'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Apply an amount to its order, with the merchant’s consent',
    description:
      'Use it when the merchant accepts the money as the payment: an ended order becomes `paid`, and the merchant keeps any excess. Unknown money needs `order_id` and becomes a deposit of that order. A card payment that captured less than the order’s amount, or another currency, is refused. A repeated call returns the record.',
    caller: 'operator',
    params,
    body: z.strictObject({ merchant_consent: text(500), order_id: idOf('cryptoOrder').optional() }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  keep: operation({
    operationId: 'keepUnattributedMoney',
    http: post('/unattributed-money/:unattributedMoneyId/keep'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Keep an amount, with a reason',
    description: 'Use it for an amount that is not worth sending back. It never counts for the order.',
    caller: 'operator',
    params,
    body: z.strictObject({ reason: text(500) }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  handled: operation({
    operationId: 'markUnattributedMoneyHandled',
    http: post('/unattributed-money/:unattributedMoneyId/handled'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Record that an amount was handled by hand',
    description:
      'Use it after sending the amount elsewhere. Name the transaction if there is one; for a card payment, the processor’s refund reference. It never counts for the order.',
    caller: 'operator',
    params,
    body: z.strictObject({ reason: text(500), tx_id: text(128).optional() }),
    reply: one,
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state'],
  }),
  refund: operation({
    operationId: 'refundUnattributedMoney',
    http: post('/unattributed-money/:unattributedMoneyId/refund', { approvesRefund: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Send an amount back to an address, or record that staff sent it back',
    description:
      'Use it for a deposit that staff decided to send back. The signer sends it from the address that holds it; `refund` shows the progress. Without a signer, `sent_by_hand` records what staff sent, with its `tx_id`; where the network has nodes, the transaction must pay `to_address` the amount. Unknown money of a shared account can only be sent by hand. Refund a card payment at its processor. Read the plan first and pass its values as `expected`.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params,
    body: RefundRequest,
    reply: z.object({
      unattributed_money: UnattributedMoney,
      refund: CryptoRefund.optional(),
      tx_block: TxBlock.optional(),
    }),
    refusals: REFUND_REFUSALS,
  }),
  getRefundPlan: operation({
    operationId: 'getUnattributedMoneyRefundPlan',
    http: get('/unattributed-money/:unattributedMoneyId/refund-plan'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the plan of a refund: amount, source and network fee',
    description: 'Use it before the refund, whose `expected` binds it to this plan.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params,
    query: RefundPlanQuery,
    reply: z.object({ plan: RefundPlan }),
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state', 'not_refundable'],
  }),
})
