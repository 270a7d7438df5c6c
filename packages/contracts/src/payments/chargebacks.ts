import { z } from 'zod'
import { customerParams } from '../onboarding/customers.ts'
import { FiatOrderStatus, OrderKey } from './fiat-orders.ts'
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

/**
 * Whether a merchant is above the chargeback threshold (decisions §4): the fact that payments emits for other services.
 * `version` grows with every change; a lower one is stale.
 */
export const DisputeThresholdStatus = z.object({
  customer_id: idOf('merchant'),
  over_threshold: z.boolean(),
  version: z.number().int(),
})
export type DisputeThresholdStatus = z.infer<typeof DisputeThresholdStatus>

const query = z.object({ limit: limitParameter(25, 100) })
const reply = z.object({ chargebacks: z.array(Chargeback) })

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
    summary: 'List the chargebacks of a customer, newest first',
    params: customerParams,
    query,
    reply,
    refusals: ['capability_not_enabled'],
  }),
  listByOrder: operation({
    summary: 'List the chargebacks of a card order; empty where the order is not visible',
    params: z.object({ orderKey: z.string() }),
    query,
    reply,
  }),
  importFile: operation({
    summary: 'Import a periodic file of disputes',
    caller: 'operator',
    body: z.strictObject({ csv: z.string() }),
    reply: ImportReport,
    refusals: ['invalid_request'],
  }),
})
