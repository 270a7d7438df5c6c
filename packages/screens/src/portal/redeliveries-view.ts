import type { Redelivery } from '@causeway/contracts'
import {
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
} from '../design/index.ts'
import { formFaults, titleOf, type FormState } from '../form-state.ts'
import { portalForm, portalPage, webhookPath, WEBHOOKS_PATH, type PortalSession } from './frame.ts'

const STATUS = {
  running: ['warning', 'Running'],
  done: ['good', 'Done'],
  cancelled: ['neutral', 'Stopped'],
} as const

const EVENTS = [
  { value: '', text: 'Every event' },
  { value: 'dead', text: 'Those that were given up' },
  { value: 'missed', text: 'Those that were not sent' },
  { value: 'delivered', text: 'Those that were delivered' },
]

/** How far it has come between its two times, in whole percent. */
export const progressOf = ({ status, since, until, reached }: Redelivery): number => {
  const [from, to, at] = [since, until, reached].map((text) => Date.parse(text)) as [number, number, number]
  if (status === 'done' || to <= from) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (at - from)) / (to - from))))
}

const createForm = (session: PortalSession, path: string, { entered, errors }: FormState): Html =>
  portalForm(
    session,
    path,
    html`${textField({
        name: 'since',
        label: 'Events from (UTC)',
        hint: 'When the outage began',
        type: 'datetime-local',
        value: entered.get('since') ?? '',
        error: errors['since'],
        isRequired: true,
      })}
      ${textField({
        name: 'until',
        label: 'Before (UTC)',
        hint: 'Empty: until now',
        type: 'datetime-local',
        value: entered.get('until') ?? '',
        error: errors['until'],
      })}
      ${selectField({
        name: 'status',
        label: 'Which',
        value: entered.get('status') ?? '',
        error: errors['status'],
        isRequired: true,
        options: EVENTS,
      })}
      ${textField({
        name: 'per_second',
        label: 'At most so many a second',
        hint: '1 to 500; empty: 50',
        inputmode: 'numeric',
        value: entered.get('per_second') ?? '',
        error: errors['per_second'],
      })}
      <p class="actions">
        ${submit('Send them again')} ${linkButton(path.replace(/\/redeliveries$/, ''), 'Back', 'quiet')}
      </p>`,
  )

const cancelForm = (session: PortalSession, path: string, { status, redelivery_id: id }: Redelivery) =>
  status === 'running' ? portalForm(session, `${path}/${id}/cancel`, submit('Stop it', 'danger')) : '–'

/** Seconds after which a browser without JavaScript looks again while something runs. */
const REFRESH_SECONDS = 5

type RedeliveriesPage = Readonly<{
  session: PortalSession
  webhookId: string
  redeliveries: readonly Redelivery[]
  state: FormState
}>

/** What was sent again in bulk, how far it has come, and the form to do so. */
export const redeliveriesPage = ({ session, webhookId, redeliveries, state }: RedeliveriesPage): Html => {
  const path = `${webhookPath(webhookId)}/redeliveries`
  const isRunning = redeliveries.some(({ status }) => status === 'running')
  return portalPage({
    session,
    title: titleOf('Send many again', state),
    current: WEBHOOKS_PATH,
    ...(isRunning ? { refreshSeconds: REFRESH_SECONDS, scripts: LIVE_SCRIPTS } : {}),
    main: html`<h1>Send many again</h1>
      <p>To <a href="${webhookPath(webhookId)}">${webhookId}</a></p>
      ${formFaults(state)}
      ${
        redeliveries.length > 0 &&
        livePart(
          { id: 'redeliveries', isUnderWay: isRunning },
          table({
            caption: 'What was sent again, newest first',
            columns: [
              { heading: 'Started', cell: (one) => time(one.created_at) },
              { heading: 'State', cell: ({ status }) => taggedStatus(STATUS, status) },
              { heading: 'Through', cell: (one) => `${progressOf(one)} %`, isNumber: true },
              { heading: 'Sent', cell: ({ sent }) => sent, isNumber: true },
              { heading: 'From', cell: ({ since }) => time(since) },
              { heading: 'Before', cell: ({ until }) => time(until) },
              { heading: 'Stop', cell: (one) => cancelForm(session, path, one) },
            ],
            rows: redeliveries,
            empty: 'Nothing yet.',
          }),
        )
      }
      <section class="sheet" aria-labelledby="again">
        <h2 id="again">After an outage of your receiver</h2>
        <p>Events are sent again in the order in which they happened, each with its own event_id.</p>
        ${createForm(session, path, state)}
      </section>`,
  })
}
