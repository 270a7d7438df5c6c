import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { Product } from './product.ts'

/** Creates partners with one webhook destination each. @returns the partners' ids */
export const createDestinations = async (
  { staff }: Product,
  url: string,
  count: number,
): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { partner } = dataOf<{ partner: { partner_id: string } }>(
      await staff.post('/api/operator/partners', { name: `Receiver ${n}` }),
    )
    dataOf(await staff.post(`/api/operator/partners/${partner.partner_id}/webhooks`, { url }))
    ids.push(partner.partner_id)
  }
  return ids
}
