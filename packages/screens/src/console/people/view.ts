import { STAFF_ROLES, type StaffKey, type StaffRole } from '@causeway/contracts'
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
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'

export const PEOPLE_PATH = '/console/people'

const ROLE_TEXTS: Readonly<Record<StaffRole, string>> = {
  viewer: 'Viewer: can read everything',
  reviewer: 'Reviewer: can also decide on cases, documents, agreements and capabilities',
  finance: 'Finance: can also handle payouts, refunds, chargebacks and reconciliation',
  admin: 'Admin: can do everything',
}

type PeoplePage = Readonly<{
  session: StaffSession
  keys: readonly StaffKey[]
  page: Readonly<{ first: string | null; next: string | null }>
  state: FormState
}>

const revokeButton = (session: StaffSession, { staff_key_id: id, name }: StaffKey): Html =>
  dialogButton(
    { id: `revoke-${id}`, text: 'Revoke…', title: `Revoke the key of ${name}?`, look: 'danger' },
    html`<p>The key is refused from now on, and the sessions that it opened end. You cannot undo this.</p>
      ${consoleForm(session, `${PEOPLE_PATH}/${id}/revoke`, submit('Revoke the key', 'danger'))}`,
  )

const keysTable = (session: StaffSession, keys: readonly StaffKey[]): Html =>
  table({
    caption: 'Staff keys',
    columns: [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Role', cell: ({ role }) => role },
      { heading: 'Id in the audit log', cell: (key) => html`<code>${key.staff_key_id}</code>` },
      { heading: 'Created', cell: (key) => time(key.created_at) },
      {
        heading: 'Last used',
        cell: ({ last_used_at: at }) => (at === null ? 'never' : time(at)),
      },
      { heading: 'Actions', cell: (key) => revokeButton(session, key) },
    ],
    rows: keys,
    empty: 'No keys yet. Create one for each person, because the audit log names the key.',
  })

const createForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    PEOPLE_PATH,
    html`${textField({
        name: 'name',
        label: 'Name of the person',
        hint: 'Identifies the owner of the key',
        value: state.entered.get('name') ?? '',
        error: state.errors['name'],
        isRequired: true,
      })}
      ${selectField({
        name: 'role',
        label: 'Role',
        value: state.entered.get('role') ?? 'viewer',
        error: state.errors['role'],
        isRequired: true,
        options: STAFF_ROLES.map((role) => ({ value: role, text: ROLE_TEXTS[role] })),
      })}
      <p class="actions">${submit('Create the key')}</p>`,
  )

/** Renders the staff keys, and the form that creates one. */
export const peoplePage = ({ session, keys, page, state }: PeoplePage): Html =>
  consolePage({
    session,
    current: PEOPLE_PATH,
    title: titleOf('People', state),
    main: html`<h1>People</h1>
      ${formFaults(state)} ${keysTable(session, keys)} ${pagination(page)}
      <section class="sheet" aria-labelledby="create">
        <h2 id="create">Create a staff key</h2>
        <p>
          With a staff key, a person can call the operator API, and sign in here unless staff sign in with
          OpenID Connect.
        </p>
        ${createForm(session, state)}
      </section>`,
  })
