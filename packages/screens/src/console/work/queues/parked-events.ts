import { parkedEvents, type ParkedEvent } from '@causeway/contracts'
import { html, linkButton, notice, pagination, table, time, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formWith, type FormState } from '../../../form-state.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { actOnEach, bulkForm, refusedOutcome, selectColumn } from '../../lists/bulk.ts'
import { mayDo } from '../../roles.ts'
import { PARKED_EVENTS_PATH, parkedEventPath } from '../paths.ts'
import { parkedEventPage } from './parked-event-view.ts'

const nameOf = ({ event_id: id, consumer }: ParkedEvent): string => `${id} of ${consumer}`
/** Ids on the bus contain no space. */
const valueOf = ({ event_id: id, consumer }: ParkedEvent): string => `${consumer} ${id}`

const mayRetry = ({ session, query }: StaffRequest): boolean =>
  mayDo(session, 'admin') && query.get('state') !== 'set_aside'

const eventTable = (request: StaffRequest, rows: readonly ParkedEvent[], isSetAside: boolean): Html =>
  table({
    caption: isSetAside ? 'Events set aside, oldest first' : 'Parked events, oldest first',
    columns: [
      {
        heading: 'Event',
        cell: (row) => html`<a href="${parkedEventPath(row)}"><code>${row.event_id}</code></a>`,
      },
      { heading: 'Subject', cell: (row) => html`<code>${row.subject}</code>` },
      { heading: 'Consumer', cell: (row) => row.consumer },
      { heading: 'Error', cell: (row) => row.error },
      { heading: 'Parked', cell: (row) => time(row.parked_at) },
      isSetAside
        ? { heading: 'Note', cell: (row) => row.note ?? '' }
        : {
            heading: 'Retried',
            cell: (row) => (row.retried_at === null ? 'Not yet' : time(row.retried_at)),
          },
      ...(mayRetry(request) ? [selectColumn<ParkedEvent>(request.query, { valueOf, nameOf })] : []),
    ],
    rows,
    empty: isSetAside ? 'No events were set aside.' : 'No parked events.',
  })

const NEWS: Readonly<Record<string, string>> = {
  handled: 'The event was handled. It is no longer in the queue.',
  'set-aside': 'The event was set aside.',
}

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, query, session } = request
  const isSetAside = query.get('state') === 'set_aside'
  const state = isSetAside ? 'set_aside' : 'waiting'
  const reply = await ask(parkedEvents.list, { query: { ...cursorOf(request), state } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { parked_events: rows, unavailable, next_cursor: next } = reply.value
  const news = NEWS[query.get('done') ?? '']
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Parked events',
      main: html`<h1>Parked events</h1>
        <p>
          A service failed to handle these events ten times, or could not read them. Other events are not
          delayed, but the effects of these are missing in that service. Retry an event when the cause is
          fixed.
        </p>
        ${news !== undefined && notice('good', news)}
        ${
          unavailable.length > 0 &&
          notice(
            'warning',
            `Events of ${unavailable.join(', ')} are missing.`,
            'These services are temporarily unavailable.',
          )
        }
        ${eventTable(request, rows, isSetAside)}
        ${
          rows.length > 0 &&
          mayRetry(request) &&
          bulkForm(session, {
            query,
            path: PARKED_EVENTS_PATH,
            action: `${PARKED_EVENTS_PATH}/retry`,
            text: 'Retry the selected events',
          })
        }
        ${pagination(pageLinks(PARKED_EVENTS_PATH, request, next))}
        <p>
          ${
            isSetAside
              ? linkButton(PARKED_EVENTS_PATH, 'Parked events', 'quiet')
              : linkButton(`${PARKED_EVENTS_PATH}?state=set_aside`, 'Events set aside', 'quiet')
          }
        </p>`,
    }),
  )
}

/** Decodes a path parameter: ids on the bus may contain characters that a path may not. */
const decoded = (value = ''): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const paramsOf = ({ params }: StaffRequest) => ({
  consumer: decoded(params['consumer']),
  eventId: decoded(params['eventId']),
})

const show = async (request: StaffRequest, state: FormState, status = 200): Promise<Answer> => {
  const { ask, query, session } = request
  const reply = await ask(parkedEvents.get, { params: paramsOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const hasFailed = query.get('done') === 'failed'
  return pageOf(parkedEventPage(session, reply.value.parked_event, { state, hasFailed }), status)
}

const retry = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(parkedEvents.retry, { params: paramsOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { result, parked_event: event } = reply.value
  return redirectTo(
    result === 'handled' ? `${PARKED_EVENTS_PATH}?done=handled` : `${parkedEventPath(event)}?done=failed`,
  )
}

/** Retries the selected events. */
const retrySelected = (request: StaffRequest): Promise<Answer> =>
  actOnEach(request, {
    title: 'Retried events',
    role: 'admin',
    back: { path: PARKED_EVENTS_PATH, text: 'Parked events' },
    async act(value) {
      const [consumer = '', eventId = ''] = value.split(' ')
      const path = parkedEventPath({ consumer, event_id: eventId })
      const entry = html`<a href="${path}"><code>${eventId}</code></a> of ${consumer}`
      const reply = await request.ask(parkedEvents.retry, { params: { consumer, eventId } })
      if (!reply.ok) return refusedOutcome(entry, reply.code)
      return reply.value.result === 'handled'
        ? { entry, tone: 'good', text: 'Handled' }
        : { entry, tone: 'bad', text: 'Failed again' }
    },
  })

const setAside = async (request: StaffRequest): Promise<Answer> => {
  const { form } = request
  const note = (form.get('note') ?? '').trim()
  const reply = await request.ask(parkedEvents.setAside, { params: paramsOf(request), body: { note } })
  if (!reply.ok) return answerRefusedForm(reply, form, (state, status) => show(request, state, status))
  return redirectTo(`${PARKED_EVENTS_PATH}?done=set-aside`)
}

const ONE_PATH = `${PARKED_EVENTS_PATH}/:consumer/:eventId`

/** The queue of events that a service could not handle. */
export const parkedEventScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PARKED_EVENTS_PATH, answer: list }),
  sessionScreen('console', {
    method: 'GET',
    path: ONE_PATH,
    answer: (request) => show(request, formWith()),
  }),
  sessionScreen('console', { method: 'POST', path: `${PARKED_EVENTS_PATH}/retry`, answer: retrySelected }),
  sessionScreen('console', { method: 'POST', path: `${ONE_PATH}/retry`, answer: retry }),
  sessionScreen('console', { method: 'POST', path: `${ONE_PATH}/set-aside`, answer: setAside }),
]
