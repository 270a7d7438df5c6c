import type { StaffAgreementVersion } from '@causeway/contracts'
import {
  dialogButton,
  html,
  linkButton,
  pagination,
  selectField,
  submit,
  table,
  taggedStatus,
  textArea,
  textField,
  time,
  type Column,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'

export const AGREEMENTS_PATH = '/console/agreements'

const STATUS = {
  in_force: ['good', 'In force'],
  upcoming: ['neutral', 'Comes into force'],
  retired: ['warning', 'Retired'],
} as const

type AgreementsPage = Readonly<{
  session: StaffSession
  versions: readonly StaffAgreementVersion[]
  page: Readonly<{ first: string | null; next: string | null }>
}>

const statusOf = ({ status, effective_at: at }: StaffAgreementVersion): Html =>
  html`${taggedStatus(STATUS, status)} ${status === 'upcoming' && at !== null && time(at)}`

const retireButton = (session: StaffSession, version: StaffAgreementVersion): Html | false =>
  version.status === 'in_force' &&
  dialogButton(
    {
      id: `retire-${version.agreement_id}`,
      text: 'Retire…',
      title: `Retire “${version.title}”?`,
      look: 'danger',
    },
    html`<p>
        Nobody has to accept it any more, and what waited for it becomes available. What was accepted stays on
        record. A new version brings it back.
      </p>
      ${consoleForm(
        session,
        `${AGREEMENTS_PATH}/${version.agreement_id}/retire`,
        submit('Retire the agreement', 'danger'),
      )}`,
  )

const columns = (session: StaffSession): Column<StaffAgreementVersion>[] => [
  { heading: 'Agreement', cell: ({ title }) => title },
  {
    heading: 'Version',
    cell: (version) => html`<a href="${version.document_url}">${version.version}</a>`,
  },
  { heading: 'Status', cell: statusOf },
  { heading: 'Published', cell: (version) => time(version.published_at) },
  { heading: 'Id', cell: (version) => html`<code>${version.agreement_id}</code>` },
  ...(mayDo(session, 'reviewer')
    ? [
        {
          heading: 'Actions',
          cell: (version: StaffAgreementVersion) => retireButton(session, version),
        },
      ]
    : []),
]

/** Every version that was published. */
export const agreementsPage = ({ session, versions, page }: AgreementsPage): Html =>
  consolePage({
    session,
    current: AGREEMENTS_PATH,
    title: 'Agreements',
    main: html`<h1>Agreements</h1>
      ${mayDo(session, 'reviewer') && html`<p>${linkButton(`${AGREEMENTS_PATH}/new`, 'Publish a version')}</p>`}
      ${table({
        caption: 'Versions, the newest first',
        columns: columns(session),
        rows: versions,
        empty: 'No agreement yet: customers have nothing to accept.',
      })}
      ${pagination(page)}`,
  })

const field = (
  { entered, errors }: FormState,
  name: string,
  label: string,
  hint?: string,
  isRequired = true,
) =>
  textField({
    name,
    label,
    value: entered.get(name) ?? '',
    error: errors[name],
    isRequired,
    ...(hint !== undefined && { hint }),
  })

const area = ({ entered, errors }: FormState, name: string, label: string, hint: string) =>
  textArea({ name, label, hint, value: entered.get(name) ?? '', error: errors[name], isRequired: true })

/** @param current agreements of which a further version may be published, the newest title of each */
export const publishPage = (
  session: StaffSession,
  current: readonly Readonly<{ agreementId: string; title: string }>[],
  state: FormState,
): Html =>
  consolePage({
    session,
    current: AGREEMENTS_PATH,
    title: titleOf('Publish a version', state),
    main: html`<h1>Publish a version</h1>
      ${formFaults(state)}
      <p>
        Every customer has to accept it. What they use waits for that from the moment at which it comes into
        force: give them time by a later one, and they can accept it before.
      </p>
      ${consoleForm(
        session,
        `${AGREEMENTS_PATH}/new`,
        html`${selectField({
            name: 'agreement_id',
            label: 'Of which agreement',
            value: state.entered.get('agreement_id') ?? '',
            error: state.errors['agreement_id'],
            isRequired: true,
            options: [
              { value: '', text: 'A new one' },
              ...current.map(({ agreementId, title }) => ({ value: agreementId, text: title })),
            ],
          })}
          ${field(state, 'title', 'Title')} ${field(state, 'version', 'Version', 'Such as 2.0')}
          ${field(state, 'effective_date', 'Date in the document', 'Such as 2027-01-01')}
          ${field(state, 'effective_at', 'Comes into force', 'A time in UTC, such as 2027-01-01T00:00:00Z; empty: at once', false)}
          ${area(state, 'parties', 'Parties', 'One a line: role, colon, name, such as provider: Example Ltd')}
          ${area(state, 'disclosure', 'What the customer reads beside the button', 'One or two sentences')}
          ${area(state, 'content_base64', 'Text of the agreement', 'A PDF is published by the API')}
          <p class="actions">${submit('Publish')} ${linkButton(AGREEMENTS_PATH, 'Back', 'quiet')}</p>`,
      )}`,
  })
