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
  timeField,
  type Column,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'

export const AGREEMENTS_PATH = '/console/agreements'

const STATUS = {
  in_force: ['good', 'In force'],
  upcoming: ['neutral', 'Upcoming'],
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
        Customers no longer need to accept it, and capabilities that waited for it become available. Existing
        acceptances stay on record. Publishing a new version makes it required again.
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

/** Renders all published versions. */
export const agreementsPage = ({ session, versions, page }: AgreementsPage): Html =>
  consolePage({
    session,
    current: AGREEMENTS_PATH,
    title: 'Agreements',
    main: html`<h1>Agreements</h1>
      ${mayDo(session, 'reviewer') && html`<p>${linkButton(`${AGREEMENTS_PATH}/new`, 'Publish a version')}</p>`}
      ${table({
        caption: 'Versions, newest first',
        columns: columns(session),
        rows: versions,
        empty: 'No agreements yet. Customers have nothing to accept.',
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

/** Renders the publish form. @param current agreements that can get another version, with their newest titles */
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
        Every customer must accept it. From its effective date, capabilities are unavailable until they do.
        Choose a later date to give customers time: they can accept it before.
      </p>
      ${consoleForm(
        session,
        `${AGREEMENTS_PATH}/new`,
        html`${selectField({
            name: 'agreement_id',
            label: 'Agreement',
            value: state.entered.get('agreement_id') ?? '',
            error: state.errors['agreement_id'],
            isRequired: true,
            options: [
              { value: '', text: 'New agreement' },
              ...current.map(({ agreementId, title }) => ({ value: agreementId, text: title })),
            ],
          })}
          ${field(state, 'title', 'Title')} ${field(state, 'version', 'Version', 'For example 2.0')}
          ${field(state, 'effective_date', 'Date in the document', 'For example 2027-01-01')}
          ${timeField({
            name: 'effective_at',
            label: 'Effective from',
            hint: 'Leave empty to make it effective now.',
            value: state.entered.get('effective_at') ?? '',
            error: state.errors['effective_at'],
          })}
          ${area(state, 'parties', 'Parties', 'One per line as role: name, for example provider: Example Ltd')}
          ${area(state, 'disclosure', 'Text next to the customer’s accept button', 'One or two sentences')}
          ${area(state, 'content_base64', 'Text of the agreement', 'Use the API to publish a PDF')}
          <p class="actions">${submit('Publish')} ${linkButton(AGREEMENTS_PATH, 'Back', 'quiet')}</p>`,
      )}`,
  })
