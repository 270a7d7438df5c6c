import { implement, isId, refuse, reply, type ServiceContext, type Implementation } from '@causeway/chassis'
import { chargebacks, OrderKey, type Chargeback } from '@causeway/contracts'
import { cardProcessorOf, type CardProcessors } from '@causeway/rails/cards'
import type { CardSettlement } from '../card-settlement/settlement.ts'
import { refuseUngranted } from '../relationships/eligibility.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { getCardEligibility } from '../relationships/store.ts'
import { createDisputeImport } from './import.ts'
import * as store from './store.ts'

type Options = Readonly<{
  relationships: Relationships
  processors: CardProcessors
  settlement: CardSettlement
}>

/** `payments.chargebacks` (spec: Fiat order chargebacks; decisions §10). */
export const chargebackOperations = (context: ServiceContext, options: Options): Implementation[] => {
  const { db } = context
  /** The fee is 0 where the processor states none. */
  const present = (row: store.ChargebackRow): Chargeback => ({
    id: row.id,
    order_key: String(row.orderKey),
    psp: cardProcessorOf(options.processors, row.processor).traits.pspLabel,
    order_status: row.orderStatus,
    amount_cents: row.amountCents,
    currency: row.currency,
    fee_cents: row.feeCents ?? 0,
    fee_currency: row.feeCurrency ?? row.currency,
    dispute_amount_cents: row.disputeAmountCents,
    dispute_currency: row.disputeCurrency,
    disputed_at: (row.disputedAt ?? row.createdAt).toISOString(),
    created_at: row.createdAt.toISOString(),
  })

  return implement(chargebacks, {
    async list({ caller: { partnerId }, params: { customerId }, query: { limit } }) {
      if ((await options.relationships.merchantOf(partnerId, customerId)) === null)
        return refuse('resource_not_found')
      const customer = { partnerId, partnerCustomerId: customerId }
      const [known, rows] = await Promise.all([
        getCardEligibility(db, customer),
        store.list(db, { ...customer, limit }),
      ])
      const refusal = refuseUngranted(known)
      const eligibility = refusal
        ? await options.relationships.refresh(partnerId, customerId, 'payments.fiat_card')
        : null
      const final = refusal && refuseUngranted(eligibility)
      return final ?? reply({ chargebacks: rows.map(present) })
    },

    async listByOrder({ caller: { partnerId }, params: { orderKey }, query: { limit } }) {
      if (!OrderKey.safeParse(orderKey).success) return reply({ chargebacks: [] })
      const rows = await store.listByOrder(db, { partnerId, orderKey, limit })
      return reply({ chargebacks: rows.map(present) })
    },

    async listByStaff({ params, query: { limit } }) {
      const isOrder = isId('partner', params.partnerId) && OrderKey.safeParse(params.orderKey).success
      if (!isOrder) return reply({ chargebacks: [] })
      const rows = await store.listByOrder(db, { ...params, limit })
      return reply({ chargebacks: rows.map(present) })
    },

    importFile: createDisputeImport(context, options.settlement),
  })
}
