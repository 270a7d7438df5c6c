import { ASSETS, OrderStatus } from '@causeway/contracts'
import { wordsOf } from '../console/work/words.ts'
import { html, selectField, textField, timeField, type Html } from '../design/index.ts'
import type { FormState } from '../form-state.ts'
import { enteredOf } from '../lists/filter.ts'
import { toTimestamp } from '../webhooks/log-view.ts'

/** Fields of every filter of payments. */
export const STATE_FIELDS = ['kind', 'status'] as const
export const PRICE_FIELDS = ['currency', 'asset', 'amount_from', 'amount_to', 'since', 'until'] as const

/** Converts the fields of a filter to the query of an operation, which refuses invalid values. */
export const queryOf = (query: URLSearchParams, fields: readonly string[]) => {
  const { since, until, currency, ...entered } = enteredOf(query, fields)
  return {
    ...entered,
    ...(currency !== undefined && { currency: currency.toUpperCase() }),
    ...(since !== undefined && { since: toTimestamp(since) }),
    ...(until !== undefined && { until: toTimestamp(until) }),
  }
}

const optionsOf = (values: readonly string[], textOf: (value: string) => string = wordsOf) => [
  { value: '', text: 'Any' },
  ...values.map((value) => ({ value, text: textOf(value) })),
]

type Field = (typeof STATE_FIELDS)[number] | (typeof PRICE_FIELDS)[number]

const commonOf =
  ({ entered, errors }: FormState) =>
  (name: Field, label: string) => ({
    name,
    label,
    value: (entered.get(name) ?? '').trim(),
    error: errors[name],
  })

/** Renders the choices of the kind and the state of orders. */
export const stateFields = (state: FormState): Html => {
  const common = commonOf(state)
  return html`${selectField({ ...common('kind', 'Kind'), options: optionsOf(['crypto', 'card']) })}
  ${selectField({ ...common('status', 'State'), options: optionsOf(OrderStatus.options) })}`
}

/** Renders the fields of prices and times. */
export const priceFields = (state: FormState): Html => {
  const common = commonOf(state)
  const amount = (name: 'amount_from' | 'amount_to', label: string) =>
    textField({ ...common(name, label), inputmode: 'decimal' })
  return html`${textField({ ...common('currency', 'Currency'), hint: 'For example EUR' })}
  ${selectField({ ...common('asset', 'Asset'), options: optionsOf(ASSETS, (asset) => asset) })}
  ${amount('amount_from', 'Price from')} ${amount('amount_to', 'Price to')}
  ${timeField(common('since', 'Created from'))} ${timeField(common('until', 'Created before'))}`
}

const AMOUNT = 'Enter an amount, for example 12.50.'

/** Replaces errors that name a pattern. @param advice what to enter, by field */
export const withAdvice = (state: FormState, advice: Readonly<Record<string, string>> = {}): FormState => {
  const texts: Readonly<Record<string, string>> = { amount_from: AMOUNT, amount_to: AMOUNT, ...advice }
  return {
    ...state,
    errors: Object.fromEntries(
      Object.entries(state.errors).map(([name, error]) => [name, texts[name] ?? error]),
    ),
  }
}
