import { newId, queryOne } from '@causeway/chassis'
import { fiatOrders, integrations, type FiatOrder, type RelationshipState } from '@causeway/contracts'
import { z } from 'zod'
import { newPartner, type Partner, type RunningPayments } from './running-payments.ts'

const findRow = queryOne({
  name: 'test.read-fiat-order',
  parameters: { orderId: 'text' },
  text: 'SELECT row_to_json(f)::text AS row FROM fiat_orders f WHERE id = :orderId',
  row: z.object({ row: z.string() }),
})

type Body = z.input<(typeof fiatOrders.create)['body']>
export type FiatCalls = ReturnType<typeof createFiatCalls>

/** A partner's calls about card orders. */
export const createFiatCalls = (payments: RunningPayments) => {
  let keys = 0
  const create = (
    partner: Partner,
    customerId: string,
    body: unknown,
    idempotencyKey = `fiat-${(keys += 1)}`,
  ) => payments.ask(fiatOrders.create, partner, { params: { customerId }, body, idempotencyKey })
  return {
    create,
    get: (partner: Partner, orderKey: string) =>
      payments.ask(fiatOrders.get, partner, { params: { orderKey } }),
    list: (partner: Partner, customerId: string, query: { limit?: string; before?: string } = {}) =>
      payments.ask(fiatOrders.list, partner, { params: { customerId }, query }),
    /** Creates a customer with its first integration. */
    newShop: async (partner: Partner = newPartner()) => {
      const { customerId } = payments.newCustomer(partner)
      const listed = await payments.ask(integrations.list, partner, { params: { customerId }, query: {} })
      if (!listed.ok) throw new Error(`No integrations: ${listed.code}`)
      return { partner, customerId, integrationId: listed.value.integrations[0]?.integration_id ?? '' }
    },
    /** Creates an order; the call must succeed. */
    newOrder: async (
      partner: Partner,
      customerId: string,
      integrationId: string,
      change: Partial<Body> = {},
    ): Promise<FiatOrder> => {
      const body = { integration_id: integrationId, amount_cents: 10_000, currency: 'EUR', ...change }
      const answer = await create(partner, customerId, body, newId('request'))
      if (!answer.ok) throw new Error(`Not created: ${JSON.stringify(answer)}`)
      return answer.value.order
    },
    storedRow: async (orderId: string) => (await findRow(payments.db, { orderId }))?.row,
    /** Sets the state of the card capability, and publishes it. */
    setCardCapability: async (
      customerId: string,
      change: Pick<RelationshipState['capabilities'][number], 'enabled' | 'available' | 'reason'>,
    ) => {
      const state = payments.onboarding.change(customerId, {})
      await payments.onboarding.publish(
        payments.onboarding.change(customerId, {
          capabilities: state.capabilities.map((entry) =>
            entry.capability === 'payments.fiat_card' ? { ...entry, ...change } : entry,
          ),
        }),
      )
    },
  }
}
