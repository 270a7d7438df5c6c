import { randomUUID } from 'node:crypto'
import type { Schemas } from '@causeway/client'
import { until } from './waiting.ts'
import type { Scene } from './scene.ts'
import { cardOrderBody, cryptoOrderBody } from '@causeway/scenario'

export const newCryptoOrder = async (
  { partner }: Scene,
  { partner_customer_id: customerId }: Schemas['Customer'],
): Promise<Schemas['CryptoOrder']> => {
  return (await partner.createCryptoOrder({ customerId, body: cryptoOrderBody(`cli-${randomUUID()}`) })).order
}

/** 100 EUR at the customer's first checkout. @returns its key */
export const newCardOrder = async (
  { partner }: Scene,
  { partner_customer_id: customerId }: Schemas['Customer'],
): Promise<string> => {
  const body = await cardOrderBody(partner, customerId)
  return (await partner.createFiatOrder({ customerId, body })).order.order_key
}

/** @param payerIp as which the payer is remembered; nobody is, if it is left out */
export const newPaidCardOrder = async (
  scene: Scene,
  customer: Schemas['Customer'],
  payerIp?: string,
): Promise<string> => {
  const orderKey = await newCardOrder(scene, customer)
  const payer = payerIp === undefined ? {} : { payer_ip: payerIp }
  await scene.sandbox.control(`card-payments/${orderKey}`, { outcome: 'completed', ...payer })
  await until(`The payment of order ${orderKey}`, async () => {
    const { order } = await scene.partner.getFiatOrder({ orderKey })
    return order.status === 'pending' ? null : order
  })
  return orderKey
}
