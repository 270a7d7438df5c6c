import { z } from 'zod'
import { customerParams } from '../onboarding/customers.ts'
import { FiatOrderStatus, OrderKey } from './fiat-orders.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, limitParameter, Timestamp } from '../primitives.ts'

/** A dispute of a card payment (spec: Chargeback record). Null: not stated by the processor. */
export const Chargeback = z.object({
  id: idOf('chargeback'),
  order_key: OrderKey,
  psp: z.string(),
  order_status: FiatOrderStatus,
  amount_cents: z.number().int().nullable(),
  currency: z.string().nullable(),
  fee_cents: z.number().int(),
  fee_currency: z.string(),
  dispute_amount_cents: z.number().int().nullable(),
  dispute_currency: z.string().nullable(),
  disputed_at: Timestamp,
  created_at: Timestamp,
})
export type Chargeback = z.infer<typeof Chargeback>

/** A merchant's disputes against the threshold, as measured at one moment. */
export const DisputeMeasure = z.object({
  /** Share of the window's paid orders that are disputed, 0 to 1, at most 4 decimals. */
  share: z.number().min(0).max(1),
  threshold: z.number(),
  window_hours: z.number(),
  measured_at: Timestamp,
})
export type DisputeMeasure = z.infer<typeof DisputeMeasure>

/**
 * A merchant's position relative to the chargeback threshold (decisions §4): a fact of payments for other services.
 * `version` grows with every change; a lower one is stale. `measure` is given above the threshold, and again with the
 * same version when it has changed; the later `measured_at` counts. Events of older releases have none.
 */
export const DisputeThresholdStatus = z.object({
  customer_id: idOf('merchant'),
  over_threshold: z.boolean(),
  version: z.number().int(),
  measure: DisputeMeasure.optional(),
})
export type DisputeThresholdStatus = z.infer<typeof DisputeThresholdStatus>

const query = z.object({ limit: limitParameter(25, 100) })
export const ChargebackList = z.object({ chargebacks: z.array(Chargeback) })

/** Result of importing a periodic file of disputes (decisions §10 and §14). */
export const ImportReport = z.object({
  imported: z.number().int(),
  duplicates: z.number().int(),
  /** `line` counts from 1, the header included. */
  rejected: z.array(z.object({ line: z.number().int(), reason: z.string() })),
})
export type ImportReport = z.infer<typeof ImportReport>

/** `payments.chargebacks` (spec: Fiat order chargebacks). */
export const chargebacks = resource('payments.chargebacks', {
  list: operation({
    operationId: 'listChargebacks',
    http: get('/customers/:customerId/chargebacks', { scopes: ['payments:read'] }),
    tag: 'Chargebacks',
    summary: 'List the chargebacks of a customer, newest first',
    description:
      'Use it for the disputes of a customer. An empty list does not prove that there are no disputes: some processors send no notices. It needs the capability `payments.fiat_card`.',
    params: customerParams,
    query,
    reply: ChargebackList,
    refusals: ['capability_not_enabled'],
  }),
  listByOrder: operation({
    operationId: 'listFiatOrderChargebacks',
    http: get('/fiat-orders/:orderKey/chargebacks', { scopes: ['payments:read'] }),
    tag: 'Chargebacks',
    summary: 'List the chargebacks of a card order',
    description:
      'Use it after `payment.chargeback`, which has no amounts. An order that you cannot see returns an empty list.',
    params: z.object({ orderKey: z.string() }),
    query,
    reply: ChargebackList,
  }),
  listByStaff: operation({
    operationId: 'listPartnerOrderChargebacks',
    http: get('/partners/:partnerId/fiat-orders/:orderKey/chargebacks'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the chargebacks of a card order of any partner, newest first',
    description: 'Use it to see the disputes of an order. An order of another partner returns an empty list.',
    caller: 'operator',
    params: z.object({ partnerId: z.string(), orderKey: z.string() }),
    query,
    reply: ChargebackList,
  }),
  importFile: operation({
    operationId: 'importChargebacks',
    http: post('/chargebacks/import', { csv: true }),
    role: 'finance',
    tag: 'Payments',
    summary: 'Import a periodic file of disputes',
    description:
      'Use it for processors that report disputes in periodic files. Known disputes count as duplicates, so you can send a file again.',
    caller: 'operator',
    body: z.strictObject({ csv: z.string() }).meta({
      description:
        'With the header dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency. An empty cell means unknown.',
    }),
    reply: ImportReport,
    refusals: ['invalid_request'],
  }),
})
