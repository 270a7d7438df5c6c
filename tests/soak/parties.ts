import { dataOf } from '@causeway/dev-env/platform/raw-client'
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

/** A price plan with service fees for both rails, under which partners may charge a fee as well. */
const createPlan = async (platform: TestPlatform): Promise<string> => {
  const rules = [
    { rail: 'card', percent: 2.5, payer: 'merchant' },
    { rail: 'crypto', percent: 1.25, fixed_cents: 7, currency: 'EUR', payer: 'customer' },
  ]
  const body = { name: 'Soak', rules, partner_fee_max_percent: 10 }
  const made = await platform.staff.post('/api/operator/price-plans', body)
  return dataOf<{ price_plan: { price_plan_id: string } }>(made).price_plan.price_plan_id
}

/** Creates the partners with their receivers, customers, and those customers' own receivers, before the first fault. */
export const createParties = async (platform: TestPlatform): Promise<readonly Party[]> => {
  const parties: Party[] = []
  const price_plan_id = await createPlan(platform)
  for (const kinds of RECEIVERS) {
    const partner = await newPartner(platform)
    const planPath = `/api/operator/partners/${partner.partnerId}/price-plan`
    dataOf(await platform.staff.put(planPath, { price_plan_id }))
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
