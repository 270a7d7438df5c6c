import { RelationshipStatus, type Partner } from '@causeway/contracts'
import {
  filterForm,
  html,
  linkButton,
  selectField,
  submit,
  timeField,
  type Html,
} from '../../../design/index.ts'
import type { FormState } from '../../../form-state.ts'
import { toTimestamp } from '../../../webhooks/log-view.ts'
import { enteredOf, withFields } from '../../../lists/filter.ts'
import { partnerField } from '../../lists/partner-choice.ts'
import { CUSTOMERS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'

/** Fields of the filter. The URL holds them, so that a bookmark is a saved view. */
const FIELDS = ['partner_id', 'relationship_status', 'since', 'until'] as const
type Field = (typeof FIELDS)[number]
type Entered = Readonly<Partial<Record<Field, string>>>

const read = (query: URLSearchParams): Entered => enteredOf(query, FIELDS)

/** Converts the filter of a page to the query of the operation, which refuses invalid values. */
export const filterOf = (query: URLSearchParams) => {
  const { relationship_status: status, since, until, ...entered } = read(query)
  return {
    ...entered,
    ...(status !== undefined && { relationship_status: status as RelationshipStatus }),
    ...(since !== undefined && { since: toTimestamp(since) }),
    ...(until !== undefined && { until: toTimestamp(until) }),
  }
}

/** Returns a path with the fields of a filter, without the page of the list. */
export const withFilter = (path: string, query: URLSearchParams): string => withFields(path, query, FIELDS)

const any = { value: '', text: 'Any' }

/**
 * Renders the filter of the list.
 * @param partners all partners to choose from; null if they are too many or temporarily unavailable
 */
export const customerFilter = ({ entered, errors }: FormState, partners: readonly Partner[] | null): Html => {
  const { partner_id: partnerId = '', relationship_status: status = '', since, until } = read(entered)
  return filterForm(
    CUSTOMERS_PATH,
    html`${partnerField(partners, partnerId, errors['partner_id'])}
      ${selectField({
        name: 'relationship_status',
        label: 'Relationship',
        value: status,
        options: [any, ...RelationshipStatus.options.map((value) => ({ value, text: wordsOf(value) }))],
        error: errors['relationship_status'],
      })}
      ${timeField({ name: 'since', label: 'Created from', value: since ?? '', error: errors['since'] })}
      ${timeField({ name: 'until', label: 'Created before', value: until ?? '', error: errors['until'] })}
      <p class="actions">${submit('Filter', 'quiet')} ${linkButton(CUSTOMERS_PATH, 'Show all', 'quiet')}</p>`,
  )
}
