import { implement, refuse, reply, type Implementation } from '@causeway/chassis'
import { onrampOrders } from '@causeway/contracts'
import { cryptoOrderOf } from '../clients/payments.ts'
import { createPurchase, type OrderOptions } from './create-purchase.ts'
import { isOpened, presentPurchase, type OpenedPurchase } from './purchase.ts'
import { findLatestPurchase } from './store.ts'

/** A purchase as the order's buyer sees it: where to go on, and how far it is. */
const presentToBuyer = ({ checkoutUrl, status }: OpenedPurchase) => ({ checkoutUrl, status })

/** `onramp.orders` (spec: Onramp order; decisions §13). */
export const orderOperations = (options: OrderOptions): Implementation[] => {
  const { db, holds, provider, publicBaseUrl } = options

  return implement(onrampOrders, {
    async create({ caller, params, body, now, log }) {
      const cryptoOrder = await cryptoOrderOf(holds.getOrder(caller.partnerId, params.orderId))
      if (!cryptoOrder) return refuse('resource_not_found')
      const outcome = await createPurchase(
        { ...options, log },
        cryptoOrder,
        { ...body, startedBy: 'partner' },
        now,
      )
      if (!outcome.ok) return outcome
      return reply({ onramp: presentPurchase(outcome.opened) }, outcome.isNew ? 'created' : 'existing')
    },

    async get({ caller, params }) {
      if (!(await cryptoOrderOf(holds.getOrder(caller.partnerId, params.orderId))))
        return refuse('resource_not_found')
      const purchase = await findLatestPurchase(db, {
        partnerId: caller.partnerId,
        orderId: params.orderId,
      })
      if (!purchase || !isOpened(purchase)) return refuse('resource_not_found')
      return reply({ onramp: presentPurchase(purchase) })
    },

    async getByBuyer({ params }) {
      const cryptoOrder = await cryptoOrderOf(holds.getOrderByBuyer(params.orderId))
      if (!cryptoOrder) return refuse('resource_not_found')
      const partnerId = cryptoOrder.partner_id
      const latest = await findLatestPurchase(db, { partnerId, orderId: params.orderId })
      return reply({
        available: provider !== null && cryptoOrder.status === 'pending',
        purchase: latest && isOpened(latest) ? presentToBuyer(latest) : null,
      })
    },

    async createByBuyer({ params, now, log }) {
      const cryptoOrder = await cryptoOrderOf(holds.getOrderByBuyer(params.orderId))
      if (!cryptoOrder) return refuse('resource_not_found')
      const wanted = {
        startedBy: 'buyer',
        fiat: cryptoOrder.currency,
        return_url: `${publicBaseUrl}/pay/${params.orderId}`,
      } as const
      const outcome = await createPurchase({ ...options, log }, cryptoOrder, wanted, now)
      return outcome.ok ? reply({ purchase: presentToBuyer(outcome.opened) }) : outcome
    },
  })
}
