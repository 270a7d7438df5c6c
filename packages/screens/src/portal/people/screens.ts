import { EmailAddress, PORTAL_ROLES, PortalRole, type PortalMember } from '@causeway/contracts'
import {
  dialogButton,
  html,
  notice,
  selectField,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { portalForm, portalPage, type PortalRequest, type PortalSession } from '../frame.ts'
import { PORTAL_ROLE_TEXTS } from '../sign-in/words.ts'
import { PEOPLE_PATH, PREFERENCES_PATH } from './paths.ts'
import { setPreferences } from './preferences.ts'
import { problemOf } from './problems.ts'

/** How the portal and the console show people: they differ in their forms' paths and tokens. */
export type PeoplePlace = Readonly<{
  path: string
  form: (action: string, content: Html) => Html
  /** The person who looks at the page; null in the console. */
  ownId: string | null
}>

const ROLE_OPTIONS = PORTAL_ROLES.map((role) => ({ value: role, text: PORTAL_ROLE_TEXTS[role] }))

const roleField = (value: string, id?: string, error?: string): Html =>
  selectField({
    name: 'role',
    ...(id !== undefined && { id }),
    label: 'Role',
    value,
    error,
    isRequired: true,
    options: ROLE_OPTIONS,
  })

const statusOf = (person: PortalMember, now: Date): Html => {
  const { status, invited_at: invitedAt, accepted_at: acceptedAt, invitation_expires_at: expiresAt } = person
  if (status === 'active')
    return html`${statusTag('good', 'Active')}${acceptedAt !== null && html` since ${time(acceptedAt)}`}`
  return expiresAt !== null && new Date(expiresAt) <= now
    ? statusTag('warning', 'Invitation expired')
    : html`${statusTag('neutral', 'Invited')} ${time(invitedAt)}`
}

const actionsOf = (place: PeoplePlace, person: PortalMember): Html => {
  const { person_id: id, email, role, status } = person
  return html`<div class="actions">
    ${
      status === 'invited' &&
      place.form(
        place.path,
        html`<input type="hidden" name="email" value="${email}" /><input
            type="hidden"
            name="role"
            value="${role}"
          />${submit('Resend', 'quiet')}`,
      )
    }
    ${dialogButton(
      { id: `role-${id}`, text: 'Change role…', title: `Change the role of ${email}`, look: 'quiet' },
      html`<p>The person’s sessions end. The next sign-in has the new role.</p>
        ${place.form(`${place.path}/${id}/role`, html`${roleField(role, `role-${id}`)} ${submit('Change the role')}`)}`,
    )}
    ${dialogButton(
      { id: `remove-${id}`, text: 'Remove…', title: `Remove ${email}?`, look: 'quiet' },
      html`<p>The person’s sessions end, and the address is deleted. You can invite the person again.</p>
        ${place.form(`${place.path}/${id}/remove`, submit('Remove the person', 'danger'))}`,
    )}
  </div>`
}

type PeopleView = Readonly<{
  place: PeoplePlace
  people: readonly PortalMember[]
  canInvite: boolean
  state: FormState
  now: Date
}>

/** Renders the people of a partner or a merchant, and the form that invites somebody. */
export const peopleSection = ({ place, people, canInvite, state, now }: PeopleView): Html =>
  html`${formFaults(state)}
    ${table({
      caption: 'People who can sign in to the portal',
      columns: [
        {
          heading: 'E-mail',
          cell: ({ email, person_id: id }) => html`${email}${id === place.ownId && ' (you)'}`,
        },
        { heading: 'Role', cell: ({ role }) => role },
        { heading: 'Status', cell: (person) => statusOf(person, now) },
        { heading: 'Actions', cell: (person) => actionsOf(place, person) },
      ],
      rows: people,
      empty: 'Nobody can sign in by e-mail yet.',
    })}
    <section class="sheet" aria-labelledby="invite">
      <h2 id="invite">Invite a person</h2>
      ${
        canInvite
          ? place.form(
              place.path,
              html`${textField({
                  name: 'email',
                  label: 'E-mail address',
                  hint: 'Gets a link that is valid for 7 days',
                  type: 'email',
                  inputmode: 'email',
                  value: state.entered.get('email') ?? '',
                  error: state.errors['email'],
                  isRequired: true,
                })}
                ${roleField(state.entered.get('role') ?? 'viewer', undefined, state.errors['role'])}
                <p class="actions">${submit('Send the invitation')}</p>`,
            )
          : notice(
              'neutral',
              'This platform sends no e-mail.',
              html`Nobody can be invited until it is set up.`,
            )
      }
    </section>`

const NOT_FOUND: Answer = { kind: 'error', code: 'resource_not_found' }

const placeOf = (session: PortalSession): PeoplePlace => ({
  path: PEOPLE_PATH,
  form: (action, content) => portalForm(session, action, content),
  ownId: session.principal.person?.personId ?? null,
})

const show = async (
  { session }: PortalRequest,
  now: Date,
  state: FormState = formWith(),
  status = 200,
): Promise<Answer> => {
  const reply = await session.people.list()
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { people, can_invite: canInvite } = reply.value
  return pageOf(
    portalPage({
      session,
      current: PEOPLE_PATH,
      title: titleOf('People', state),
      main: html`<h1>People</h1>
        ${peopleSection({ place: placeOf(session), people, canInvite, state, now })}`,
    }),
    status,
  )
}

/** An invitation as a form states it, or the errors of its fields. */
export const readInvitation = (form: URLSearchParams) => {
  const email = EmailAddress.safeParse((form.get('email') ?? '').trim())
  const role = PortalRole.safeParse(form.get('role'))
  if (email.success && role.success) return { ok: true as const, email: email.data, role: role.data }
  const errors = {
    ...(!email.success && { email: 'Enter an e-mail address, such as name@example.com.' }),
    ...(!role.success && { role: 'Choose a role.' }),
  }
  return { ok: false as const, state: { ...formWith(form), errors } }
}

const invite = async (request: PortalRequest, now: Date): Promise<Answer> => {
  const { session, form } = request
  const read = readInvitation(form)
  if (!read.ok) return show(request, now, read.state, 400)
  const reply = await session.people.invite(read.email, read.role)
  if (reply.ok) return redirectTo(PEOPLE_PATH)
  return answerRefusedForm(reply, form, (state, status) =>
    show(request, now, { ...state, problem: problemOf(reply) ?? state.problem }, status),
  )
}

const change = async (
  request: PortalRequest,
  now: Date,
  act: (personId: string) => ReturnType<PortalSession['people']['remove']>,
): Promise<Answer> => {
  const reply = await act(request.params['personId'] ?? '')
  if (reply.ok) return redirectTo(PEOPLE_PATH)
  const problem = problemOf(reply)
  return problem === null
    ? { kind: 'error', code: reply.code }
    : show(request, now, { ...formWith(), problem }, 409)
}

const changeRole = (request: PortalRequest, now: Date): Promise<Answer> => {
  if (request.session.principal.person?.role !== 'owner') return Promise.resolve(NOT_FOUND)
  const role = PortalRole.safeParse(request.form.get('role'))
  return role.success
    ? change(request, now, (personId) => request.session.people.update(personId, role.data))
    : Promise.resolve({ kind: 'error', code: 'invalid_request' })
}

/** The people page, for owners (decisions §56), and the preferences of a person. */
export const portalPeopleScreens = (now: () => Date): readonly Screen[] => [
  sessionScreen('portal', { method: 'GET', path: PEOPLE_PATH, answer: (request) => show(request, now()) }),
  sessionScreen('portal', { method: 'POST', path: PEOPLE_PATH, answer: (request) => invite(request, now()) }),
  sessionScreen('portal', {
    method: 'POST',
    path: `${PEOPLE_PATH}/:personId/role`,
    answer: (request) => changeRole(request, now()),
  }),
  sessionScreen('portal', {
    method: 'POST',
    path: `${PEOPLE_PATH}/:personId/remove`,
    answer: (request) => change(request, now(), (personId) => request.session.people.remove(personId)),
  }),
  sessionScreen('portal', { method: 'POST', path: PREFERENCES_PATH, answer: setPreferences }),
]
