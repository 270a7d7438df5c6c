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

/** JSON in lines; any other text, and JSON that was cut, as it is. */
const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const factsOf = (event: ParkedEventDetail): Html =>
  definitionList([
    { term: 'What happened', value: html`<code>${event.subject}</code>` },
    {
      term: 'Could not be handled by',
      value: html`<code>${event.consumer}</code> of the service ${event.service}`,
    },
    { term: 'Why', value: event.error },
    { term: 'Parked', value: time(event.parked_at) },
    {
      term: 'Last tried again',
      value: event.retried_at === null ? 'Not yet' : time(event.retried_at),
    },
    ...(event.set_aside_at === null
      ? []
      : [
          { term: 'Set aside', value: time(event.set_aside_at) },
          { term: 'Note', value: event.note ?? '' },
        ]),
  ])

/** Trying it again, and setting it aside, for those who may. */
const actionsOf = (session: StaffSession, event: ParkedEventDetail, state: FormState): Html => {
  if (!mayDo(session, 'admin')) return EMPTY
  const path = parkedEventPath(event)
  return html`<h2>Try it again</h2>
    <p>Its consumer handles it once more, now. What it has handled already, it does not do twice.</p>
    ${consoleForm(session, `${path}/retry`, submit('Try again'))}
    <h2>Set it aside</h2>
    <p>It leaves the queue and is kept with your note. It can still be tried again.</p>
    ${consoleForm(
      session,
      `${path}/set-aside`,
      html`${textArea({
          name: 'note',
          label: 'Note',
          hint: 'Why it need not be handled, at most 1,000 characters',
          value: state.entered.get('note') ?? event.note ?? '',
          error: state.errors['note'],
          isRequired: true,
        })}
        <p class="actions">${submit('Set aside', 'quiet')}</p>`,
    )}`
}

/** One event that a service could not handle. @param hasFailed whether staff have just tried it again in vain */
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
      ${hasFailed && notice('bad', 'It could not be handled this time either.', event.error)}
      ${factsOf(event)} ${actionsOf(session, event, state)}
      <h2>What came</h2>
      ${codeBlock('The event as it came', readable(event.payload))}
      <p>${linkButton(PARKED_EVENTS_PATH, 'All parked events', 'quiet')}</p>`,
  })
