import type { PartnerClient } from '@causeway/client'

/** A body that creates a customer. @param mark makes the customer unique */
export const customerBody = (mark: string) => ({
  external_customer_id: mark,
  email: `${mark}@example.com`,
})

/** A body that creates a crypto order of 25 EUR in USDC. */
export const cryptoOrderBody = (reference: string) =>
  ({
    reference,
    network: 'ETH',
    asset: 'USDC',
    amount: 25,
    currency: 'EUR',
    email: 'buyer@example.com',
  }) as const

/** Finds the first checkout of a customer. @throws Error if it has none */
export const findIntegration = async (partner: PartnerClient, customerId: string): Promise<string> => {
  const { integrations } = await partner.listIntegrations({ customerId })
  const [first] = integrations
  if (first === undefined) throw new Error(`${customerId} has no checkout`)
  return first.integration_id
}

/** A body that creates a card order of 100 EUR at a customer's first checkout. */
export const cardOrderBody = async (partner: PartnerClient, customerId: string) => ({
  integration_id: await findIntegration(partner, customerId),
  amount_cents: 10_000,
  currency: 'EUR' as const,
})
