import type { orders, Partner } from '@causeway/contracts'
import type { z } from 'zod'
import {
  checkboxes,
  filterForm,
  html,
  linkButton,
  submit,
  textField,
  type Html,
} from '../../../design/index.ts'
import type { FormState } from '../../../form-state.ts'
import { enteredOf, withFields } from '../../../lists/filter.ts'
import { PRICE_FIELDS, priceFields, queryOf, STATE_FIELDS, stateFields } from '../../../payments/fields.ts'
import { findMerchantButton } from '../../find-merchant/button.ts'
import { partnerField } from '../../lists/partner-choice.ts'
import { PAYMENTS_PATH } from '../paths.ts'
import { chosenColumns, COLUMN_NAMES, columnTitle } from './columns.ts'

type Query = z.input<(typeof orders)['list']['query']>

const FIELDS = [...STATE_FIELDS, 'partner_id', 'customer_id', ...PRICE_FIELDS] as const

/** Converts the filter of a page to the query of the operation, which refuses invalid values. */
export const filterOf = (query: URLSearchParams): Query => queryOf(query, FIELDS)

export const isFiltered = (query: URLSearchParams): boolean => withFields('', query, FIELDS) !== ''

/** Returns a path with the filter and the columns, without the page of the list. */
export const withFilter = (path: string, query: URLSearchParams): string =>
  withFields(path, query, [...FIELDS, 'columns'])

/** Renders the filter of the list and the choice of its columns. @param partners null: not all can be chosen from */
export const paymentFilter = (state: FormState, partners: readonly Partner[] | null): Html => {
  const { entered, errors } = state
  const { partner_id: partnerId = '', customer_id: customerId = '' } = enteredOf(entered, FIELDS)
  return filterForm(
    PAYMENTS_PATH,
    html`${stateFields(state)} ${partnerField(partners, partnerId, errors['partner_id'])}
      ${textField({
        ...{ name: 'customer_id', label: 'Merchant id', value: customerId, hint: 'Begins with cus_' },
        error: errors['customer_id'],
      })}
      ${priceFields(state)}
      <details class="whole-row">
        <summary>Columns</summary>
        ${checkboxes({
          name: 'columns',
          label: 'Columns to show',
          values: chosenColumns(entered),
          options: COLUMN_NAMES.map((value) => ({ value, text: columnTitle(value) })),
        })}
      </details>
      <p class="actions">
        ${submit('Filter', 'quiet')} ${findMerchantButton('payments', 'Find the merchant by name…')}
        ${linkButton(PAYMENTS_PATH, 'Show all', 'quiet')}
      </p>`,
  )
}
