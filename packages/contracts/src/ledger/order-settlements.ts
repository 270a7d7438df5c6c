import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'

const Day = z.iso.date()

/** A line of a card processor's settlement report, as the merchant of its order reads it. */
export const OrderSettlement = z.object({
  processor: z.string(),
  lineId: z.string(),
  kind: z.enum(['payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout']),
  currency: z.string(),
  /** Signed as it changes the platform's balance at the processor, before its fees. */
  grossCents: z.number().int(),
  /** The same before the processor converted it. Null: it was not converted. */
  original: z
    .object({
      currency: z.string(),
      grossCents: z.number().int(),
      /** Value of one unit of this currency in that of the line, as the processor states it. Null: not stated. */
      rate: z.string().nullable(),
    })
    .nullable(),
  availableOn: Day,
  /** The processor's payout to the platform that contains the line. Null: none yet. */
  payoutRef: z.string().nullable(),
  /** The day of that payout. Null: its line is not reported yet. */
  paidOutOn: Day.nullable(),
  /** The day on which the platform's bank booked it. Null: not yet, or not imported. */
  bookedOn: Day.nullable(),
})
export type OrderSettlement = z.infer<typeof OrderSettlement>

/** `ledger.order-settlements`: how the money of a card order reached the platform (decisions §51). */
export const orderSettlements = resource('ledger.order-settlements', {
  listByMerchant: operation({
    operationId: 'listMerchantOrderSettlements',
    http: get('/fiat-orders/:orderKey/settlements'),
    tag: 'Merchant balances',
    summary: 'List how a processor has settled a card order',
    description:
      'Use it to follow the money of an order: the lines of the processor’s report, its payout and the day on which the bank booked that. An unknown order has none.',
    caller: 'merchant',
    params: z.object({ orderKey: z.string() }),
    reply: z.object({ settlements: z.array(OrderSettlement) }),
    refusals: [],
  }),
})
