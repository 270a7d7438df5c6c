import { sessions, type ScreenSession } from '@causeway/contracts'
import {
  dialogButton,
  html,
  pagination,
  selectField,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { ownSessionsTable } from '../../own-sessions.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { namesIn, readNames, type Names } from '../names.ts'
import { mayDo } from '../roles.ts'

const PATH = '/console/sessions'

const WHOSE = [
  { value: 'actor', text: 'A person or staff key' },
  { value: 'partner_id', text: 'A partner' },
  { value: 'customer_id', text: 'A merchant' },
] as const

const endButton = (session: StaffSession, { session_id: id, subject }: ScreenSession): Html =>
  dialogButton(
    { id: `end-${id}`, text: 'End…', title: `End this session of ${subject}?`, look: 'danger' },
    html`<p>The browser is signed out with its next request.</p>
      ${consoleForm(session, `${PATH}/${id}/end`, submit('End the session', 'danger'))}`,
  )

const allTable = (session: StaffSession, all: readonly ScreenSession[], names: Names): Html =>
  table({
    caption: 'Active sessions',
    columns: [
      {
        heading: 'Signed in as',
        cell: ({ kind, subject }) => html`${kind} ${namesIn(subject, names)} <code>${subject}</code>`,
      },
      { heading: 'Role', cell: ({ role }) => role ?? 'none' },
      { heading: 'Opened by', cell: ({ origin }) => html`<code>${origin ?? 'unknown'}</code>` },
      { heading: 'Started', cell: ({ created_at: at }) => time(at) },
      { heading: 'Last seen', cell: ({ last_seen_at: at }) => time(at) },
      { heading: 'Actions', cell: (row) => endButton(session, row) },
    ],
    rows: all,
    empty: 'No one is signed in.',
  })

const endAllForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    `${PATH}/end`,
    html`${selectField({
        name: 'whose',
        label: 'End all sessions of',
        value: state.entered.get('whose') ?? 'actor',
        isRequired: true,
        options: WHOSE,
      })}
      ${textField({
        name: 'id',
        label: 'Id',
        hint: 'As in the list: stk_… or oidc:… for a person, prt_… for a partner, cus_… for a merchant',
        value: state.entered.get('id') ?? '',
        error: state.errors['id'],
        isRequired: true,
      })}
      <p class="actions">
        ${submit('End all sessions', 'danger')} ${findMerchantButton('sessions', 'Find a merchant by name…')}
      </p>`,
  )

const ofEverybody = async (request: StaffRequest, state: FormState): Promise<Html | Answer> => {
  const { ask, session } = request
  const reply = await ask(sessions.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { sessions: all, next_cursor: next } = reply.value
  const names = await readNames(
    request,
    all.map(({ subject }) => subject),
  )
  return html`<section aria-labelledby="all">
    <h2 id="all">All sessions</h2>
    ${allTable(session, all, names)} ${pagination(pageLinks(PATH, request, next))}
    <div class="sheet">${endAllForm(session, state)}</div>
  </section>`
}

const show = async (request: StaffRequest, state: FormState, status = 200): Promise<Answer> => {
  const { session } = request
  const others = mayDo(session, 'admin') ? await ofEverybody(request, state) : html``
  if ('kind' in others) return others
  const own = ownSessionsTable(await session.listOwn(), (id) =>
    consoleForm(session, `${PATH}/own/${id}/end`, submit('End session', 'quiet')),
  )
  return pageOf(
    consolePage({
      session,
      current: PATH,
      title: titleOf('Sessions', state),
      main: html`<h1>Sessions</h1>
        ${formFaults(state)} ${own} ${others}`,
    }),
    status,
  )
}

const endAll = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const whose = WHOSE.find(({ value }) => value === form.get('whose'))?.value ?? 'actor'
  const reply = await ask(sessions.endAll, { body: { [whose]: form.get('id')?.trim() ?? '' } })
  if (reply.ok) return redirectTo(PATH)
  const details = reply.details?.map((detail) => ({ ...detail, field: 'id' }))
  return answerRefusedForm({ ...reply, ...(details && { details }) }, form, (state, status) =>
    show(request, state, status),
  )
}

const end = async ({ ask, params }: StaffRequest): Promise<Answer> => {
  const reply = await ask(sessions.end, { params: { sessionId: params['sessionId'] ?? '' } })
  return reply.ok ? redirectTo(PATH) : { kind: 'error', code: reply.code }
}

const endOwn = async ({ session, params }: StaffRequest): Promise<Answer> =>
  (await session.endOwn(params['sessionId'] ?? ''))
    ? redirectTo(PATH)
    : { kind: 'error', code: 'resource_not_found' }

/** Sessions: the user's own, and for admins all of them. */
export const sessionScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: PATH,
    answer: (request) => show(request, formWith(request.query)),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/end`, answer: endAll }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:sessionId/end`, answer: end }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/own/:sessionId/end`, answer: endOwn }),
]
