import { html, type Html } from '../../design/index.ts'

export const FIND_MERCHANT_PATH = '/console/find-merchant'

/** Names of the search's own fields. Every other field belongs to the form that it was opened from. */
export const FIND = {
  place: 'find',
  text: 'find.text',
  cursor: 'find.cursor',
  chosen: 'find.chosen',
} as const

/** The forms that ask for the id of a merchant or a relationship. */
export type FindPlace =
  | 'merchants'
  | 'payments'
  | 'payout-announcement'
  | 'payout-run'
  | 'price-plan'
  | 'price-plan-assignment'
  | 'price-preview'
  | 'accounts'
  | 'adjustment'
  | 'difference'
  | 'sessions'

/**
 * A button that sends the entries of its form to the search for a merchant, which returns to the form with the chosen id.
 * Place it after the form's own button: Enter in a field presses the first one.
 */
export const findMerchantButton = (place: FindPlace, text = 'Find by name…'): Html =>
  html`<button
    class="quiet"
    type="submit"
    name="${FIND.place}"
    value="${place}"
    formaction="${FIND_MERCHANT_PATH}"
    formnovalidate
  >
    ${text}
  </button>`
