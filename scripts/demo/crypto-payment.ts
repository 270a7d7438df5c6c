import { dataOf } from './api-client.ts'
import { control, type Scene } from './scene.ts'

type Order = { id: string; status: string; amount: string; asset: string }

/** Creates a crypto order of 25 EUR. */
export const createCryptoOrder = async (
  { partner, customerPath }: Scene,
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

/** An order that is paid on the sandbox's chain and read back. @throws when a step answers otherwise than it should */
export const walkCryptoPayment = async (scene: Scene): Promise<void> => {
  const { partner, customerPath, narrator, expect } = scene
  narrator.step('The partner creates a crypto order')
  const order = await createCryptoOrder(scene, `invoice-${scene.mark}`)
  await expect.partnerEvent('payment.pending', { order_id: order.id })

  narrator.step('The buyer pays on the sandbox chain')
  await control(scene, 'deposits', { order_id: order.id })
  await expect.partnerEvent('payment.confirmed', { order_id: order.id })

  narrator.step('The partner reads the list, the order and the capabilities')
  const list = dataOf<{ orders: Order[] }>(await partner.get(`${customerPath}/orders?limit=5`))
  const read = dataOf<{ order: Order }>(await partner.get(`/api/v1/partner/orders/${order.id}`))
  await partner.get(`${customerPath}/capabilities`).then(dataOf)
  if (read.order.status !== 'paid' || list.orders[0]?.id !== order.id)
    throw new Error(`The order should be paid and first in the list, but is ${JSON.stringify(read.order)}`)
}
