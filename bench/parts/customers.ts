import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { verifyCustomer } from '@causeway/scenario'
import { freshName } from '../load/requests.ts'
import type { Product } from './product.ts'

/** Below the 8 uploads that a client may have under way. */
const AT_ONCE = 6

const inGroups = async (count: number, one: (n: number) => Promise<void>): Promise<void> => {
  for (let from = 0; from < count; from += AT_ONCE) {
    const group = Math.min(AT_ONCE, count - from)
    await Promise.all(Array.from({ length: group }, (_, index) => one(from + index)))
  }
}

/** Creates customers through the API. @returns their paths under the partner API */
export const createCustomers = async ({ partner }: Product, count: number): Promise<string[]> => {
  const name = freshName()
  const paths: string[] = []
  await inGroups(count, async (n) => {
    const body = { external_customer_id: `${name}-${n}`, email: `customer-${name}-${n}@example.com` }
    const customer = dataOf<{ partner_customer_id: string }>(
      await partner.post('/api/v1/partner/customers', body),
    )
    paths.push(`/api/v1/partner/customers/${customer.partner_customer_id}`)
  })
  return paths
}

/** Creates customers whose merchants are verified, so that they may take orders. @returns their paths */
export const createVerifiedCustomers = async (product: Product, count: number): Promise<string[]> => {
  const paths = await createCustomers(product, count)
  const parties = { partner: product.causeway, staff: product.staff }
  await inGroups(count, (n) => verifyCustomer(parties, paths[n]?.split('/').at(-1) ?? ''))
  return paths
}
