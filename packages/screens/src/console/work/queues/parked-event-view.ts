import { type parkedEvents } from '@causeway/contracts'
import type { z } from 'zod'
import {
  codeBlock,
  definitionList,
  EMPTY,
  html,
  linkButton,
  notice,
  submit,
  textArea,
  time,
  type Html,
} from '../../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { PARKED_EVENTS_PATH, parkedEventPath } from '../paths.ts'

type ParkedEventDetail = z.output<(typeof parkedEvents)['get']['reply']>['parked_event']

/** Indents JSON; returns other text and truncated JSON unchanged. */
const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const factsOf = (event: ParkedEventDetail): Html =>
  definitionList([
    { term: 'Subject', value: html`<code>${event.subject}</code>` },
    {
      term: 'Consumer',
      value: html`<code>${event.consumer}</code> of the service ${event.service}`,
    },
    { term: 'Error', value: event.error },
    { term: 'Parked', value: time(event.parked_at) },
    {
      term: 'Last retried',
      value: event.retried_at === null ? 'Not yet' : time(event.retried_at),
    },
    ...(event.set_aside_at === null
      ? []
      : [
          { term: 'Set aside', value: time(event.set_aside_at) },
          { term: 'Note', value: event.note ?? '' },
        ]),
  ])

/** Renders the retry and set-aside forms for admins. */
const actionsOf = (session: StaffSession, event: ParkedEventDetail, state: FormState): Html => {
  if (!mayDo(session, 'admin')) return EMPTY
  const path = parkedEventPath(event)
  return html`<h2>Retry</h2>
    <p>The consumer handles the event again, now. Effects that already happened are not repeated.</p>
    ${consoleForm(session, `${path}/retry`, submit('Retry'))}
    <h2>Set aside</h2>
    <p>The event leaves the queue and is kept with your note. You can still retry it later.</p>
    ${consoleForm(
      session,
      `${path}/set-aside`,
      html`${textArea({
          name: 'note',
          label: 'Note',
          hint: 'The reason why it does not need to be handled, at most 1,000 characters',
          value: state.entered.get('note') ?? event.note ?? '',
          error: state.errors['note'],
          isRequired: true,
        })}
        <p class="actions">${submit('Set aside', 'quiet')}</p>`,
    )}`
}

/** Renders an event that a service could not handle. @param hasFailed true if a retry has just failed */
export const parkedEventPage = (
  session: StaffSession,
  event: ParkedEventDetail,
  { state, hasFailed }: Readonly<{ state: FormState; hasFailed: boolean }>,
): Html =>
  consolePage({
    session,
    current: '/console',
    title: titleOf(`Parked event ${event.event_id}`, state),
    main: html`${formFaults(state)}
      <h1>Parked event <code>${event.event_id}</code></h1>
      ${hasFailed && notice('bad', 'The retry failed.', event.error)} ${factsOf(event)}
      ${actionsOf(session, event, state)}
      <h2>Payload</h2>
      ${codeBlock('Payload', readable(event.payload))}
      <p>${linkButton(PARKED_EVENTS_PATH, 'All parked events', 'quiet')}</p>`,
  })
