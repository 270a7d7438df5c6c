import type { MerchantClient } from '@causeway/client'
import type { startReceiver } from '../../scripts/demo/receiver.ts'
import { newCustomer, newMerchant, type newPartner, type SharedPlatform } from './platform.ts'
import { findIntegration } from '@causeway/scenario'

type Partner = Awaited<ReturnType<typeof newPartner>>
type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A merchant with an approved case and a key: its ids, its own API as the client and raw, its checkout. */
export const newSeller = async (platform: SharedPlatform, partner: Partner) => {
  const customer = await newCustomer(platform, partner.causeway)
  const merchant = await newMerchant(platform, customer.merchantId)
  return {
    ...customer,
    ...merchant,
    integrationId: await findIntegration(partner.causeway, customer.customerId),
  }
}

/** Registers the receiver with a merchant's key, and has it verify what arrives. */
export const register = async (receiver: Receiver, causeway: MerchantClient, integrationId?: string) => {
  const made = await causeway.createWebhook({
    body: { url: receiver.url, ...(integrationId !== undefined && { integrationId }) },
  })
  receiver.trust(made.webhookSecret)
  return made
}
