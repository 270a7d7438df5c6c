import type { Redelivery } from '@causeway/contracts'
import {
  definitionList,
  html,
  linkButton,
  LIVE_SCRIPTS,
  livePart,
  selectField,
  submit,
  table,
  taggedStatus,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import type { LogPlace } from './owner.ts'

const STATUS = {
  running: ['neutral', 'Running'],
  done: ['good', 'Done'],
  cancelled: ['warning', 'Stopped'],
} as const

const EVENTS = [
  { value: '', text: 'Every event' },
  { value: 'dead', text: 'Those that were given up' },
  { value: 'missed', text: 'Those that it missed' },
  { value: 'delivered', text: 'Those that were delivered' },
]

const createForm = (session: StaffSession, path: string, { entered, errors }: FormState): Html =>
  consoleForm(
    session,
    path,
    html`${textField({
        name: 'since',
        label: 'Events since',
        hint: 'A time in UTC, such as 2026-11-23T07:00:00Z',
        value: entered.get('since') ?? '',
        error: errors['since'],
        isRequired: true,
      })}
      ${textField({
        name: 'until',
        label: 'Until',
        hint: 'A time in UTC; empty: until now',
        value: entered.get('until') ?? '',
        error: errors['until'],
      })}
      ${selectField({
        name: 'status',
        label: 'Which events',
        value: entered.get('status') ?? '',
        error: errors['status'],
        isRequired: true,
        options: EVENTS,
      })}
      ${textField({
        name: 'per_second',
        label: 'Deliveries a second at most',
        hint: '1 to 500; empty: 50',
        inputmode: 'numeric',
        value: entered.get('per_second') ?? '',
        error: errors['per_second'],
      })}
      <p class="actions">${submit('Send again')}</p>`,
  )

type RedeliveriesPage = Readonly<{
  session: StaffSession
  place: LogPlace
  webhookId: string
  redeliveries: readonly Redelivery[]
  state: FormState
}>

/** What was sent to a destination again in bulk, and the form to do so. */
export const redeliveriesPage = (content: RedeliveriesPage): Html => {
  const { session, place, webhookId, redeliveries, state } = content
  const path = `${place.path}/webhooks/${webhookId}/redeliveries`
  return consolePage({
    session,
    current: place.current,
    title: titleOf('Redeliveries', state),
    main: html`<h1>Redeliveries</h1>
      <p>To the destination <code>${webhookId}</code>.</p>
      ${formFaults(state)}
      ${table({
        caption: 'Redeliveries, newest first',
        columns: [
          {
            heading: 'Started',
            cell: (one) => html`<a href="${path}/${one.redelivery_id}">${time(one.created_at)}</a>`,
          },
          { heading: 'Status', cell: ({ status }) => taggedStatus(STATUS, status) },
          { heading: 'Events since', cell: ({ since }) => time(since) },
          { heading: 'Sent', cell: ({ sent }) => sent, isNumber: true },
        ],
        rows: redeliveries,
        empty: 'Nothing was sent again in bulk.',
      })}
      ${
        mayDo(session, 'admin') &&
        html`<section class="sheet" aria-labelledby="again">
          <h2 id="again">Send events again</h2>
          <p>After an outage of the receiver: what it missed since then is sent again, oldest first.</p>
          ${createForm(session, path, state)}
        </section>`
      }
      <p>
        ${linkButton(`${place.path}/webhooks/${webhookId}/deliveries`, 'Back to the deliveries', 'quiet')}
      </p>`,
  })
}

/** How far one redelivery has come. */
export const redeliveryPage = (session: StaffSession, place: LogPlace, redelivery: Redelivery): Html => {
  const path = `${place.path}/webhooks/${redelivery.webhook_id}/redeliveries`
  const isRunning = redelivery.status === 'running'
  return consolePage({
    session,
    current: place.current,
    title: 'Redelivery',
    scripts: isRunning ? LIVE_SCRIPTS : [],
    main: html`${livePart(
        { id: 'redelivery', isUnderWay: isRunning },
        html`<h1>Redelivery ${taggedStatus(STATUS, redelivery.status)}</h1>
          ${definitionList([
            { term: 'Id', value: html`<code>${redelivery.redelivery_id}</code>` },
            { term: 'Events since', value: time(redelivery.since) },
            { term: 'Until', value: time(redelivery.until) },
            { term: 'Has come to', value: time(redelivery.reached) },
            { term: 'Sent', value: redelivery.sent },
            { term: 'A second at most', value: redelivery.per_second },
            { term: 'Started', value: time(redelivery.created_at) },
            {
              term: 'Ended',
              value: redelivery.finished_at === null ? 'not yet' : time(redelivery.finished_at),
            },
          ])}
          ${
            isRunning &&
            mayDo(session, 'admin') &&
            consoleForm(session, `${path}/${redelivery.redelivery_id}/cancel`, submit('Stop it', 'danger'))
          }`,
      )}
      <p>${linkButton(path, 'Back to the redeliveries', 'quiet')}</p>`,
  })
}
