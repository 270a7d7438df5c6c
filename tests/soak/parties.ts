import { newPartner, type TestCustomer, type TestPlatform } from '../journeys/platform.ts'
import { newSeller } from '../journeys/seller.ts'
import { merchantDestination, partnerDestination, type Destination, type ReceiverKind } from './receivers.ts'

/** A customer that may take orders, with the integration of its card orders. */
export type Shop = TestCustomer & Readonly<{ integrationId: string }>

/** A partner of the soak. */
export type Party = Readonly<{
  partnerId: string
  clientId: string
  clientSecret: string
  shops: Shop[]
  destinations: readonly Destination[]
}>

/** The first partner has a receiver of every kind; the others' take everything. */
const RECEIVERS: readonly (readonly ReceiverKind[])[] = [
  ['good', 'slow', 'flaky', 'refusing', 'resetting'],
  ['good'],
]
const MERCHANT_RECEIVERS: readonly ReceiverKind[] = ['good', 'refusing']
const SHOPS = 2

/** Creates the partners with their receivers, customers, and those customers' own receivers, before the first fault. */
export const createParties = async (platform: TestPlatform): Promise<readonly Party[]> => {
  const parties: Party[] = []
  for (const kinds of RECEIVERS) {
    const partner = await newPartner(platform)
    const destinations = await Promise.all(
      kinds.map((kind) => partnerDestination(platform, partner.partnerId, kind)),
    )
    const shops: Shop[] = []
    for (let shop = 0; shop < SHOPS; shop += 1) {
      const { causeway, customerId, merchantId, path, integrationId } = await newSeller(platform, partner)
      shops.push({ customerId, merchantId, path, integrationId })
      const register = (url: string) => causeway.createWebhook({ body: { url } })
      for (const kind of MERCHANT_RECEIVERS)
        destinations.push(await merchantDestination(merchantId, register, kind))
    }
    parties.push({ ...partner, shops, destinations })
  }
  return parties
}
