import type { DeliveryStatus, EventStatus } from '@causeway/contracts'
import {
  EMPTY,
  filterForm,
  html,
  linkButton,
  LIVE_SCRIPTS,
  selectField,
  submit,
  taggedStatus,
  timeField,
  type Html,
} from '../design/index.ts'
import type { LogQuery } from './client.ts'

/** Labels for the state of an event at a webhook. */
export const STATE = {
  waiting: ['warning', 'Waiting'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Dead'],
  missed: ['neutral', 'Not sent'],
} as const satisfies Record<EventStatus, readonly [string, string]>

export const stateTag = (status: EventStatus): Html => taggedStatus(STATE, status)

export type PageLinks = Readonly<{ first: string | null; next: string | null }>

/** Reload interval for browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 5

/** Returns what a page with a `livePart` needs while its content can still change. */
export const liveWhile = (isUnderWay: boolean) =>
  isUnderWay ? { refreshSeconds: REFRESH_SECONDS, scripts: LIVE_SCRIPTS } : {}

/** The filter of a list, as entered. */
export type Filter<S extends EventStatus = EventStatus> = Readonly<{
  status: S | ''
  type: string
  since: string
  until: string
}>

export const EVENT_STATES: readonly EventStatus[] = ['waiting', 'delivered', 'dead', 'missed']
export const DELIVERY_STATES: readonly DeliveryStatus[] = ['waiting', 'delivered', 'dead']

/** Reads a filter from a query. States and types that the list cannot filter by are ignored. */
export const filterOf = <S extends EventStatus>(
  query: URLSearchParams,
  states: readonly S[],
  types: readonly string[],
): Filter<S> => ({
  status: states.find((state) => state === query.get('status')) ?? '',
  type: types.find((type) => type === query.get('event_type')) ?? '',
  since: query.get('since') ?? '',
  until: query.get('until') ?? '',
})

/** Converts the value of a `datetime-local` field to a UTC timestamp. The operation refuses invalid values. */
export const toTimestamp = (entered: string): string => {
  const text = entered.trim().replace(' ', 'T')
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? `${text.length === 16 ? `${text}:00` : text}Z`
    : text
}

/** Converts a filter to an operation's query; empty fields are left out. */
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
  types: readonly string[]
}>

const any = { value: '', text: 'Any' }

/** Renders the filter of a log. */
export const filterFields = ({ action, filter, states, types }: FilterFields): Html =>
  filterForm(
    action,
    html`${selectField({
        name: 'status',
        label: 'State',
        value: filter.status,
        options: [any, ...states.map((state) => ({ value: state, text: STATE[state][1] }))],
      })}
      ${selectField({
        name: 'event_type',
        label: 'Event type',
        value: filter.type,
        options: [any, ...types.map((type) => ({ value: type, text: type }))],
      })}
      ${timeField({ name: 'since', label: 'From', value: filter.since })}
      ${timeField({ name: 'until', label: 'Before', value: filter.until })}
      <p class="actions">${submit('Filter', 'quiet')} ${linkButton(action, 'Show all', 'quiet')}</p>`,
  )

/** Explains why a page of a filtered list can be empty although there are more pages. */
export const shortPageHint = (isShort: boolean): Html =>
  isShort
    ? html`<p class="hint">No entry on this page matches the filter. Go to the next page to see more.</p>`
    : EMPTY
