import type { DeliveryStatus, EventStatus } from '@causeway/contracts'
import {
  EMPTY,
  filterForm,
  html,
  linkButton,
  selectField,
  submit,
  taggedStatus,
  textField,
  type Html,
} from '../design/index.ts'
import type { LogQuery } from './client.ts'

/** Words for the state of an event at a webhook. */
export const STATE = {
  waiting: ['warning', 'Waiting'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Given up'],
  missed: ['neutral', 'Not sent'],
} as const satisfies Record<EventStatus, readonly [string, string]>

export const stateTag = (status: EventStatus): Html => taggedStatus(STATE, status)

/** What the address of a list asks for, as it was entered. */
export type Filter<S extends EventStatus = EventStatus> = Readonly<{
  status: S | ''
  type: string
  since: string
  until: string
}>

export const EVENT_STATES: readonly EventStatus[] = ['waiting', 'delivered', 'dead', 'missed']
export const DELIVERY_STATES: readonly DeliveryStatus[] = ['waiting', 'delivered', 'dead']

/** @param states those that the list knows; another one asks for all */
export const filterOf = <S extends EventStatus>(query: URLSearchParams, states: readonly S[]): Filter<S> => ({
  status: states.find((state) => state === query.get('status')) ?? '',
  type: (query.get('type') ?? '').trim(),
  since: query.get('since') ?? '',
  until: query.get('until') ?? '',
})

/** A time as a `datetime-local` field gives it, taken as UTC; what is no time is refused by the operation. */
export const toTimestamp = (entered: string): string => {
  const text = entered.trim().replace(' ', 'T')
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? `${text.length === 16 ? `${text}:00` : text}Z`
    : text
}

/** The query of an operation by a filter; a field that is empty asks for nothing. */
export const queryOf = <S extends EventStatus>({ status, type, since, until }: Filter<S>): LogQuery<S> => ({
  ...(status !== '' && { status }),
  ...(type !== '' && { event_type: type }),
  ...(since !== '' && { since: toTimestamp(since) }),
  ...(until !== '' && { until: toTimestamp(until) }),
})

type FilterFields = Readonly<{
  action: string
  filter: Filter
  states: readonly EventStatus[]
  /** Types to choose from; null where any text may be entered. */
  types: readonly string[] | null
}>

const any = { value: '', text: 'Any' }

/** The fields by which a log is searched. */
export const filterFields = ({ action, filter, states, types }: FilterFields): Html =>
  filterForm(
    action,
    html`${selectField({
        name: 'status',
        label: 'State',
        value: filter.status,
        options: [any, ...states.map((state) => ({ value: state, text: STATE[state][1] }))],
      })}
      ${
        types === null
          ? textField({ name: 'type', label: 'Event type', value: filter.type })
          : selectField({
              name: 'type',
              label: 'Event type',
              value: filter.type,
              options: [any, ...types.map((type) => ({ value: type, text: type }))],
            })
      }
      ${textField({ name: 'since', label: 'From (UTC)', value: filter.since, type: 'datetime-local' })}
      ${textField({ name: 'until', label: 'Before (UTC)', value: filter.until, type: 'datetime-local' })}
      <p class="actions">${submit('Show', 'quiet')} ${linkButton(action, 'Show all', 'quiet')}</p>`,
  )

/** Why a page of a filtered list may be short: only the end of the list is its end. */
export const shortPageHint = (isShort: boolean): Html =>
  isShort
    ? html`<p class="hint">This page is short because few of those looked at fit. The next page goes on.</p>`
    : EMPTY
