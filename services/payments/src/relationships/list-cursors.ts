import type { Cursors } from '@causeway/chassis'

type List = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Position = Readonly<{ createdAt: Date; id: string }>

/** Cursors of the lists of a customer: a keyset over (createdAt, id), each bound to its partner's and customer's list. */
export type OrderCursors = Readonly<{
  encode: (list: List, last: Position) => string
  /** undefined for what this list did not issue */
  decode: (list: List, cursor: string) => Position | undefined
}>

/** @param kind of list: a cursor of one kind is nothing to the others */
export const createOrderCursors = (
  cursors: Cursors,
  kind: 'orders' | 'fiat-orders' | 'integrations' | 'chargeback-cases' = 'orders',
): OrderCursors => {
  const nameOf = (list: List) => `${kind}:${list.partnerId}:${list.partnerCustomerId}`
  return {
    encode: (list, last) => cursors.encode(nameOf(list), [last.createdAt.toISOString(), last.id]),
    decode(list, cursor) {
      const [createdAt, id] = cursors.decode(nameOf(list), cursor) ?? []
      return createdAt === undefined || id === undefined ? undefined : { createdAt: new Date(createdAt), id }
    },
  }
}
