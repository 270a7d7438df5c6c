import { dataOf } from '../platform/raw-client.ts'
import { control, type TourContext } from './tour-context.ts'

type Order = { id: string; status: string; amount: string; asset: string }

/** Creates a crypto order of 25 EUR. */
export const createCryptoOrder = async (
  { partner, customerPath }: TourContext,
  reference: string,
): Promise<Order> =>
  dataOf<{ order: Order }>(
    await partner.post(`${customerPath}/orders`, {
      reference,
      network: 'ETH',
      asset: 'USDC',
      amount: 25,
      currency: 'EUR',
      email: 'buyer@example.com',
    }),
  ).order

/** Walks a crypto order through its payment on the sandbox's chain. @throws when a response is not the expected one */
export const walkCryptoPayment = async (context: TourContext): Promise<void> => {
  const { partner, customerPath, reporter, expect } = context
  reporter.step('The partner creates a crypto order')
  const order = await createCryptoOrder(context, `invoice-${context.suffix}`)
  await expect.partnerEvent('payment.pending', { order_id: order.id })

  reporter.step('The buyer pays on the sandbox chain')
  await control(context, 'deposits', { order_id: order.id })
  await expect.partnerEvent('payment.confirmed', { order_id: order.id })

  reporter.step('The partner reads the list, the order and the capabilities')
  const list = dataOf<{ orders: Order[] }>(await partner.get(`${customerPath}/orders?limit=5`))
  const read = dataOf<{ order: Order }>(await partner.get(`/api/v1/partner/orders/${order.id}`))
  await partner.get(`${customerPath}/capabilities`).then(dataOf)
  if (read.order.status !== 'paid' || list.orders[0]?.id !== order.id)
    throw new Error(`The order should be paid and first in the list, but is ${JSON.stringify(read.order)}`)
}
