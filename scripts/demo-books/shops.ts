import { createPartnerClient, type PartnerClient } from '@causeway/client'
import { CapabilityName } from '@causeway/contracts'
import { dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { verifyCustomer } from '@causeway/scenario'

export const SHOP_NAMES = ['Bakery', 'Bookshop', 'Bicycles'] as const

/** A verified customer of the partner that takes card and crypto payments. */
export type Shop = Readonly<{ name: (typeof SHOP_NAMES)[number]; customerId: string; integrationId: string }>

export type Shops = Readonly<{ partner: PartnerClient; shops: readonly Shop[] }>

/** Creates a partner with every capability, and three verified customers of it. */
export const openShops = async (baseUrl: string, staff: RawClient): Promise<Shops> => {
  const { client } = dataOf<{ client: { client_id: string; client_secret: string } }>(
    await staff.post('/api/operator/partners', {
      name: 'Books demo',
      default_capabilities: CapabilityName.options,
    }),
  )
  const partner = createPartnerClient({
    baseUrl,
    clientId: client.client_id,
    clientSecret: client.client_secret,
  })
  const open = async (name: Shop['name']): Promise<Shop> => {
    const email = `${name.toLowerCase()}@example.com`
    const { partner_customer_id: customerId } = await partner.createCustomer({
      body: { external_customer_id: name, email },
    })
    await verifyCustomer({ partner, staff }, customerId)
    const { integration } = await partner.createIntegration(
      { customerId, body: { name, return_url: 'https://shop.example/thanks' } },
      { idempotencyKey: `integration-${name}` },
    )
    return { name, customerId, integrationId: integration.integration_id }
  }
  return { partner, shops: await Promise.all(SHOP_NAMES.map(open)) }
}
