import { type customers, ID_PREFIXES, type IdKind } from '@causeway/contracts'
import {
  casePath,
  cryptoOrderPath,
  customerPath,
  documentPath,
  refundPath,
  unattributedMoneyPath,
} from '../paths.ts'
import type { z } from 'zod'

/** Pages by the kind of an id. */
const PAGES: Readonly<Partial<Record<IdKind, (id: string) => string>>> = {
  relationship: customerPath,
  verification: casePath,
  document: (id) => `${documentPath(id)}/content`,
  cryptoOrder: cryptoOrderPath,
  refund: refundPath,
  unattributedMoney: unattributedMoneyPath,
  event: (id) => `/console/events/${id}`,
  partner: (id) => `/console/partners/${id}`,
}

const ID = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const ORDER_KEY = /^[1-9]\d{0,17}$/

/** Returns the page of an id; null if the text is not an id with a page. */
export const pageOfId = (text: string): string | null => {
  const prefix = ID.exec(text)?.[1]
  const kind = (Object.keys(PAGES) as IdKind[]).find((each) => ID_PREFIXES[each] === prefix)
  return kind === undefined ? null : (PAGES[kind]?.(text) ?? null)
}

/** Queries of the searches for a text that is not an id. */
export type Lookup = Readonly<{
  customers: readonly z.input<(typeof customers)['search']['body']>[]
  orders: readonly Readonly<
    { reference: string } | { address: string } | { tx_id: string } | { processor_order_id: string }
  >[]
  /** The text if it can be the key of a card order; otherwise null. */
  orderKey: string | null
}>

const MERCHANT = new RegExp(`^${ID_PREFIXES.merchant}_`)
/** Matches addresses and transaction ids, which have at least 25 characters; shorter texts are references. */
const CHAIN_TEXT = /^[0-9A-Za-z:]{25,128}$/

export const lookupOf = (text: string): Lookup => {
  if (text.includes('@'))
    return { customers: [{ email: text }], orders: [{ reference: text }], orderKey: null }
  if (MERCHANT.test(text)) return { customers: [{ customer_id: text }], orders: [], orderKey: null }
  const chain = CHAIN_TEXT.test(text) ? [{ address: text }, { tx_id: text }] : []
  return {
    customers: [{ external_customer_id: text }, { name: text }],
    orders: [{ reference: text }, ...chain, { processor_order_id: text }],
    orderKey: ORDER_KEY.test(text) ? text : null,
  }
}
