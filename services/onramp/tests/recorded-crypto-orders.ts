import { refuse, reply } from '@causeway/chassis'
import type { CryptoOrderTerms } from '@causeway/contracts'

/** Fields of every request about a hold. */
export type Hold = Readonly<{ order_id: string; onramp_order_id: string }>

/** Simulates crypto orders in payments: a change takes effect once, for any number of requests. */
export const createCryptoOrders = () => {
  const known = new Map<string, CryptoOrderTerms>()
  const holders = new Map<string, string>()
  const effects: string[] = []
  const change = (body: { order_id: string }, what: string, changed: Partial<CryptoOrderTerms>) => {
    const before = known.get(body.order_id)
    if (!before) return refuse('resource_not_found')
    const isNew = Object.entries(changed).some(
      ([field, value]) => before[field as keyof CryptoOrderTerms] !== value,
    )
    if (before.status !== 'pending' || !isNew) return reply({ order: before })
    effects.push(`${what} ${body.order_id}`)
    known.set(body.order_id, { ...before, ...changed })
    return reply({ order: { ...before, ...changed } })
  }
  const hold = (what: string, { order_id: orderId, onramp_order_id: id }: Hold) => {
    if (what === 'create') holders.set(orderId, id)
    if (what === 'release' && holders.get(orderId) === id) holders.delete(orderId)
  }
  return { known, holders, effects, change, hold }
}
