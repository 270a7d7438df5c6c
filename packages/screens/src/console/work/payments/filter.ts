import { ASSETS, OrderStatus, type orders, type Partner } from '@causeway/contracts'
import type { z } from 'zod'
import {
  checkboxes,
  filterForm,
  html,
  linkButton,
  selectField,
  submit,
  textField,
  timeField,
  type Html,
} from '../../../design/index.ts'
import type { FormState } from '../../../form-state.ts'
import { toTimestamp } from '../../../webhooks/log-view.ts'
import { findMerchantButton } from '../../find-merchant/button.ts'
import { enteredOf, withFields } from '../../lists/filter.ts'
import { partnerField } from '../../lists/partner-choice.ts'
import { PAYMENTS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'
import { chosenColumns, COLUMN_NAMES, columnTitle } from './columns.ts'

type Query = z.input<(typeof orders)['list']['query']>

const FIELDS = [
  ...(['kind', 'status', 'partner_id', 'customer_id', 'currency', 'asset'] as const),
  ...(['amount_from', 'amount_to', 'since', 'until'] as const),
] as const

/** Converts the filter of a page to the query of the operation, which refuses invalid values. */
export const filterOf = (query: URLSearchParams): Query => {
  const { since, until, currency, ...entered } = enteredOf(query, FIELDS)
  return {
    ...entered,
    ...(currency !== undefined && { currency: currency.toUpperCase() }),
    ...(since !== undefined && { since: toTimestamp(since) }),
    ...(until !== undefined && { until: toTimestamp(until) }),
  } as Query
}

export const isFiltered = (query: URLSearchParams): boolean => withFields('', query, FIELDS) !== ''

/** Returns a path with the filter and the columns, without the page of the list. */
export const withFilter = (path: string, query: URLSearchParams): string =>
  withFields(path, query, [...FIELDS, 'columns'])

const optionsOf = (values: readonly string[], textOf: (value: string) => string = wordsOf) => [
  { value: '', text: 'Any' },
  ...values.map((value) => ({ value, text: textOf(value) })),
]

/** Renders the filter of the list and the choice of its columns. @param partners null: not all can be chosen from */
export const paymentFilter = ({ entered, errors }: FormState, partners: readonly Partner[] | null): Html => {
  const values = enteredOf(entered, FIELDS)
  const common = (name: (typeof FIELDS)[number], label: string) => ({
    ...{ name, label, value: values[name] ?? '' },
    error: errors[name],
  })
  const amount = (name: 'amount_from' | 'amount_to', label: string) =>
    textField({ ...common(name, label), inputmode: 'decimal' })
  return filterForm(
    PAYMENTS_PATH,
    html`${selectField({ ...common('kind', 'Kind'), options: optionsOf(['crypto', 'card']) })}
      ${selectField({ ...common('status', 'State'), options: optionsOf(OrderStatus.options) })}
      ${partnerField(partners, values.partner_id ?? '', errors['partner_id'])}
      ${textField({ ...common('customer_id', 'Merchant id'), hint: 'Begins with cus_' })}
      ${textField({ ...common('currency', 'Currency'), hint: 'For example EUR' })}
      ${selectField({ ...common('asset', 'Asset'), options: optionsOf(ASSETS, (asset) => asset) })}
      ${amount('amount_from', 'Price from')} ${amount('amount_to', 'Price to')}
      ${timeField(common('since', 'Created from'))} ${timeField(common('until', 'Created before'))}
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
