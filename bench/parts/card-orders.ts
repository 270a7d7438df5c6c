import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { freshName } from '../load/requests.ts'
import type { Product } from './product.ts'

const AT_ONCE = 16

/** Runs a task for each item with bounded concurrency. */
export const withEach = async <T>(
  all: readonly T[],
  one: (item: T, index: number) => Promise<void>,
): Promise<void> => {
  const entries = all.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of entries) await one(item, index)
    }),
  )
}

/** Creates card orders through the API. @returns their order keys */
export const createCardOrders = async (
  { partner }: Product,
  where: Readonly<{ customerPath: string; integrationId: string }>,
  count: number,
): Promise<string[]> => {
  const name = freshName()
  const keys: string[] = []
  await withEach(Array.from({ length: count }), async (_, index) => {
    const body = { integration_id: where.integrationId, amount_cents: 10_000, currency: 'EUR' }
    const answer = await partner.post(`${where.customerPath}/fiat-orders`, body, {
      'idempotency-key': `${name}-${index}`,
    })
    keys.push(dataOf<{ order: { order_key: string } }>(answer).order.order_key)
  })
  return keys
}
