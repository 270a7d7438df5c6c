import { cryptoOrderBody } from '@causeway/scenario'
import { control, type TourContext } from './tour-context.ts'

/** Creates a crypto order of 25 EUR. */
export const createCryptoOrder = async ({ partner, customerId }: TourContext, reference: string) => {
  return (await partner.createCryptoOrder({ customerId, body: cryptoOrderBody(reference) })).order
}

/** Walks a crypto order through its payment on the sandbox's chain. @throws when a response is not the expected one */
export const walkCryptoPayment = async (context: TourContext): Promise<void> => {
  const { partner, customerId, reporter, expect } = context
  reporter.step('The partner creates a crypto order')
  const order = await createCryptoOrder(context, `invoice-${context.suffix}`)
  await expect.partnerEvent('payment.pending', { order_id: order.id })

  reporter.step('The buyer pays on the sandbox chain')
  await control(context, 'deposits', { order_id: order.id })
  await expect.partnerEvent('payment.confirmed', { order_id: order.id })

  reporter.step('The partner reads the list, the order and the capabilities')
  const list = await partner.listCryptoOrders({ customerId, limit: 5 })
  const read = await partner.getCryptoOrder({ orderId: order.id })
  await partner.listCapabilities({ customerId })
  if (read.order.status !== 'paid' || list.orders[0]?.id !== order.id)
    throw new Error(`The order should be paid and first in the list, but is ${JSON.stringify(read.order)}`)
}
