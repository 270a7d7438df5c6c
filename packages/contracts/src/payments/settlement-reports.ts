import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { OrderKey } from './fiat-orders.ts'

/** Payments of one request. */
export const ORDERS_PER_REQUEST = 200
const Id = z.string().min(1).max(255)
const Processor = z.string().min(1).max(100)
/** Where reading continues; the processor’s adapter decides its form. */
const Position = z.string().min(1).max(2_000)

/** The amount of a line before the processor converted it. `rate`: as stated, a decimal number; null: not stated. */
const Original = z.object({ cents: z.number().int(), currency: z.string(), rate: z.string().nullable() })

/** A line of a settlement report (decisions §51). Amounts in minor units, signed as they change the balance at the processor. */
export const ReportLine = z.object({
  line_id: Id,
  kind: z.enum(['payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout']),
  processor_order_id: Id.nullable(),
  gross_cents: z.number().int(),
  fee_cents: z.number().int(),
  net_cents: z.number().int(),
  currency: z.string(),
  /** Null: nothing was converted. An older version sends none. */
  original: Original.nullable().optional(),
  /** YYYY-MM-DD */
  available_on: z.string(),
  payout_ref: Id.nullable(),
})
export type ReportLine = z.infer<typeof ReportLine>

/** `payments.settlement-reports`: what the ledger needs to compare the books with card processors (ADR 0088). */
export const settlementReports = resource('payments.settlement-reports', {
  list: operation({
    summary: 'List the processors whose settlement reports can be read',
    caller: 'service',
    services: ['ledger'],
    reply: z.object({ processors: z.array(Processor) }),
  }),
  read: operation({
    summary: 'Read the next page of a processor’s settlement report; null starts at its beginning',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({ processor: Processor, position: Position.nullable() }),
    reply: z.object({ lines: z.array(ReportLine), position: Position, is_last: z.boolean() }),
    refusals: ['resource_not_found', 'provider_error', 'temporarily_unavailable'],
  }),
  findOrders: operation({
    summary: 'Find the orders of a processor’s payments; unknown ones are left out',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({
      processor: Processor,
      processor_order_ids: z.array(Id).max(ORDERS_PER_REQUEST),
    }),
    reply: z.object({
      orders: z.array(z.object({ processor_order_id: Id, order_key: OrderKey })),
    }),
  }),
})
