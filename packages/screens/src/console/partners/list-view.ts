import type { Partner } from '@causeway/contracts'
import {
  html,
  linkButton,
  pagination,
  submit,
  table,
  taggedStatus,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { partnerFields } from './form.ts'

export const PARTNERS_PATH = '/console/partners'

export const ACCOUNT_STATUS = { active: ['good', 'Active'], disabled: ['bad', 'Disabled'] } as const

type PartnersPage = Readonly<{
  session: StaffSession
  partners: readonly Partner[]
  page: Readonly<{ first: string | null; next: string | null }>
}>

/** Renders the list of partners. */
export const partnersPage = ({ session, partners, page }: PartnersPage): Html =>
  consolePage({
    session,
    current: PARTNERS_PATH,
    title: 'Partners',
    main: html`<h1>Partners</h1>
      ${mayDo(session, 'admin') && html`<p>${linkButton(`${PARTNERS_PATH}/new`, 'Create a partner')}</p>`}
      ${table({
        caption: 'Partners, oldest first',
        columns: [
          {
            heading: 'Name',
            cell: (partner) => html`<a href="${PARTNERS_PATH}/${partner.partner_id}">${partner.name}</a>`,
          },
          { heading: 'Status', cell: ({ status }) => taggedStatus(ACCOUNT_STATUS, status) },
          { heading: 'Id', cell: (partner) => html`<code>${partner.partner_id}</code>` },
          { heading: 'Created', cell: (partner) => time(partner.created_at) },
        ],
        rows: partners,
        empty: 'No partners yet. Create the first one.',
      })}
      ${pagination(page)}`,
  })

/** Renders the form for a new partner. */
export const newPartnerPage = (session: StaffSession, state: FormState): Html =>
  consolePage({
    session,
    current: PARTNERS_PATH,
    title: titleOf('Create a partner', state),
    main: html`<h1>Create a partner</h1>
      ${formFaults(state)}
      ${consoleForm(
        session,
        `${PARTNERS_PATH}/new`,
        html`${partnerFields(state)}
          <p class="actions">
            ${submit('Create the partner')} ${linkButton(PARTNERS_PATH, 'Back to partners', 'quiet')}
          </p>`,
      )}`,
  })
