import { ID_PREFIXES, type IdKind } from '@causeway/contracts'
import {
  casePath,
  cryptoOrderPath,
  customerPath,
  documentPath,
  refundPath,
  unattributedMoneyPath,
} from '../paths.ts'

/** The pages that an id alone leads to, by what it identifies. */
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

/** The page of what somebody looks for, where that is told by its form alone; else null. */
export const pageOfId = (text: string): string | null => {
  const prefix = ID.exec(text)?.[1]
  const kind = (Object.keys(PAGES) as IdKind[]).find((each) => ID_PREFIXES[each] === prefix)
  return kind === undefined ? null : (PAGES[kind]?.(text) ?? null)
}

/** How a text that is no id is looked for: what each search is asked by. */
export type Lookup = Readonly<{
  customers: Readonly<{ email: string } | { customer_id: string } | { external_customer_id: string }> | null
  orders: readonly Readonly<
    { reference: string } | { address: string } | { tx_id: string } | { processor_order_id: string }
  >[]
  /** Whether it may be the key of a card order. */
  orderKey: string | null
}>

const MERCHANT = new RegExp(`^${ID_PREFIXES.merchant}_`)
/** Addresses and transactions are at least so long; shorter texts are references. */
const CHAIN_TEXT = /^[0-9A-Za-z:]{25,128}$/

export const lookupOf = (text: string): Lookup => {
  if (text.includes('@')) return { customers: { email: text }, orders: [{ reference: text }], orderKey: null }
  if (MERCHANT.test(text)) return { customers: { customer_id: text }, orders: [], orderKey: null }
  const chain = CHAIN_TEXT.test(text) ? [{ address: text }, { tx_id: text }] : []
  return {
    customers: { external_customer_id: text },
    orders: [{ reference: text }, ...chain, { processor_order_id: text }],
    orderKey: ORDER_KEY.test(text) ? text : null,
  }
}
