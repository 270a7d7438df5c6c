import {
  ACCOUNTS_PATH,
  ADJUSTMENTS_PATH,
  BOOKS_PATH,
  DIFFERENCES_PATH,
  PRICE_PLANS_PATH,
} from '../books/words.ts'
import type { ConsolePath } from '../frame.ts'
import { MERCHANTS_PATH } from '../merchants/view.ts'
import { PREVIEW_PRICES_PATH } from '../price-plans/form.ts'
import { NEW_PRICE_PLAN_PATH } from '../price-plans/list.ts'
import { PAYMENTS_PATH, PAYOUT_RUN_PATH, PAYOUTS_PATH } from '../work/paths.ts'
import type { FindPlace } from './button.ts'

type Target = 'merchant' | 'relationship'

export type Place = Readonly<{
  /** Entry of the navigation. */
  current: ConsolePath
  /** The form's field for the id. */
  field: string
  /** Ids that the field takes. */
  targets: readonly Target[]
  /** The page with the form. It shows the entries that its query names. */
  path: string
  /** Fields of the form that the page does not show, or that choosing an id changes. */
  change?: Readonly<Record<string, string | null>>
  /** A form whose entries are too long for a URL: the choice posts them to this path, which shows the form again. */
  postTo?: string
  /** The page of the chosen id, for a form that only opens one. */
  open?: (id: string) => string
}>

const MERCHANT = ['merchant'] as const
const RELATIONSHIP = ['relationship'] as const
const BOOKS = { current: BOOKS_PATH } as const
const WORK = { current: '/console' } as const

/** Where the search for a merchant is opened from. */
export const PLACES: Readonly<Record<FindPlace, Place>> = {
  merchants: {
    ...{ current: MERCHANTS_PATH, field: 'customer_id', targets: MERCHANT, path: MERCHANTS_PATH },
    open: (id) => `${MERCHANTS_PATH}/${id}`,
  },
  payments: {
    ...{ current: PAYMENTS_PATH, field: 'customer_id', targets: MERCHANT, path: PAYMENTS_PATH },
    change: { cursor: null },
  },
  'payout-announcement': { ...WORK, field: 'recipient', targets: MERCHANT, path: PAYOUTS_PATH },
  'payout-run': {
    ...{ ...WORK, field: 'partner_customer_id', targets: RELATIONSHIP, path: PAYOUT_RUN_PATH },
    change: { preview: null },
  },
  'price-plan': { ...BOOKS, field: 'of', targets: MERCHANT, path: PRICE_PLANS_PATH },
  'price-plan-assignment': { ...BOOKS, field: 'owner', targets: MERCHANT, path: PRICE_PLANS_PATH },
  'price-preview': {
    ...{ ...BOOKS, field: 'customer_id', targets: MERCHANT, path: NEW_PRICE_PLAN_PATH },
    postTo: PREVIEW_PRICES_PATH,
  },
  accounts: { ...BOOKS, field: 'owner_id', targets: ['relationship', 'merchant'], path: ACCOUNTS_PATH },
  // Each form has a separate key against being sent twice.
  adjustment: {
    ...{ ...BOOKS, field: 'owner', targets: RELATIONSHIP, path: ADJUSTMENTS_PATH },
    change: { key: null },
  },
  difference: { ...BOOKS, field: 'owner', targets: RELATIONSHIP, path: DIFFERENCES_PATH },
  sessions: {
    ...{ current: '/console/sessions', field: 'id', targets: MERCHANT, path: '/console/sessions' },
    change: { whose: 'customer_id' },
  },
}

/** Fields that belong to the search, or to its form. */
const isOwn = (name: string): boolean => name.startsWith('find') || name === 'form_token'

/** Returns the entries of the form that the search was opened from, other than the id. */
export const carriedFields = ({ field }: Place, entered: URLSearchParams): [string, string][] =>
  [...entered].filter(([name]) => !isOwn(name) && name !== field)

/** Returns the address of the form with its entries. @param id null: none was chosen, and nothing is changed */
export const addressOf = (place: Place, entered: URLSearchParams, id: string | null): string => {
  if (id !== null && place.open !== undefined) return place.open(id)
  const query = new URLSearchParams(carriedFields(place, entered))
  const value = id ?? entered.get(place.field) ?? ''
  if (value !== '') query.set(place.field, value)
  for (const [name, changed] of Object.entries(place.change ?? {}))
    if (changed === null) query.delete(name)
    else if (id !== null) query.set(name, changed)
  for (const [name, each] of [...query]) if (each === '') query.delete(name)
  return query.size === 0 ? place.path : `${place.path}?${query.toString()}#field-${place.field}`
}
