import { randomUUID } from 'node:crypto'
import type { Schemas } from '@causeway/client'
import { until } from './waiting.ts'
import type { Scene } from './scene.ts'

const CENTS = 10_000

/** 25 EUR to be paid in USDC. */
export const newCryptoOrder = async (
  { partner }: Scene,
  { partner_customer_id: customerId }: Schemas['Customer'],
): Promise<Schemas['CryptoOrder']> => {
  const body = {
    reference: `cli-${randomUUID()}`,
    network: 'ETH',
    asset: 'USDC',
    amount: 25,
    currency: 'EUR',
    email: 'buyer@example.com',
  } as const
  return (await partner.createCryptoOrder({ customerId, body })).order
}

/** 100 EUR at the customer's first checkout. @returns its key */
export const newCardOrder = async (
  { partner }: Scene,
  { partner_customer_id: customerId }: Schemas['Customer'],
): Promise<string> => {
  const { integrations } = await partner.listIntegrations({ customerId })
  const body = { integration_id: integrations[0]?.integration_id ?? '', amount_cents: CENTS, currency: 'EUR' }
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
