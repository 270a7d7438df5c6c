import {
  CAPABILITIES,
  MAX_FOUND_ORDERS,
  type Capability,
  type CustomerFile,
  type FoundOrder,
  type NextStep,
} from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  html,
  linkButton,
  notice,
  statusTag,
  submit,
  table,
  type Html,
  type Moment,
} from '../../../design/index.ts'
import { consoleForm, consolePage, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { historyOf, type StaffActions } from '../../history.ts'
import { namedLink, type Names } from '../../names.ts'
import { orderTable } from '../orders/table.ts'
import { casePath, customerPath, CUSTOMERS_PATH } from '../paths.ts'
import { caseTag, idLink, wordsOf } from '../words.ts'

export type CustomerContent = Readonly<{
  session: StaffSession
  customer: CustomerFile
  nextSteps: readonly NextStep[]
  /** The newest orders; null if they are temporarily unavailable. */
  orders: readonly FoundOrder[] | null
  staffActions: StaffActions
  names: Names
  /** Why an action failed; null if it did not. */
  problem: string | null
}>

const capabilityTag = ({ enabled, available, reason }: Capability): Html => {
  if (!enabled) return statusTag('neutral', 'Not granted')
  return available ? statusTag('good', 'Available') : statusTag('warning', wordsOf(reason ?? 'unavailable'))
}

const grantForm = (session: StaffSession, path: string, { capability, enabled }: Capability): Html =>
  consoleForm(
    session,
    `${path}/capabilities/${capability}`,
    html`<input type="hidden" name="enabled" value="${enabled ? 'false' : 'true'}" />
      ${submit(enabled ? 'Withdraw' : 'Grant', 'quiet')}`,
  )

const capabilityTable = ({ session, customer }: CustomerContent): Html =>
  table({
    caption: 'Capabilities',
    columns: [
      { heading: 'Capability', cell: (row) => wordsOf(row.capability) },
      { heading: 'State', cell: capabilityTag },
      ...(mayDo(session, 'reviewer')
        ? [
            {
              heading: 'Actions',
              cell: (row: Capability) => grantForm(session, customerPath(customer.partner_customer_id), row),
            },
          ]
        : []),
    ],
    rows: customer.capabilities,
    empty: 'No capabilities.',
  })

const factsOf = ({ customer, names }: CustomerContent): Html => {
  const { customer: person, verification } = customer
  return definitionList([
    { term: 'Name', value: person.name ?? 'Not given' },
    { term: 'E-mail', value: person.email === '' ? 'Erased' : person.email },
    { term: 'Country', value: person.country ?? 'Not given' },
    { term: 'Partner’s customer id', value: customer.external_customer_id },
    { term: 'Partner', value: namedLink(customer.partner_id, names) },
    { term: 'Merchant', value: idLink(`/console/merchants/${customer.customer_id}`, customer.customer_id) },
    {
      term: 'Relationship',
      value: html`${wordsOf(customer.relationship_status)}${!customer.link_confirmed && ', link not confirmed'}`,
    },
    {
      term: 'Case',
      value:
        verification === null
          ? 'Not started'
          : html`${idLink(casePath(verification.verification_id), verification.verification_id)}
            ${caseTag(verification.status)}`,
    },
  ])
}

/** Returns the timeline of a customer. */
const momentsOf = ({ created_at, verification }: CustomerFile): Moment[] => {
  const { submitted_at, reviewed_at, expires_at, status, rejection_reason } = verification ?? {}
  const moments: (Moment | null)[] = [
    { at: created_at, title: 'Linked by its partner' },
    submitted_at == null ? null : { at: submitted_at, title: 'Case submitted' },
    reviewed_at == null
      ? null
      : {
          at: reviewed_at,
          title: status === 'rejected' ? 'Case rejected' : 'Case decided',
          ...(rejection_reason == null ? {} : { text: wordsOf(rejection_reason) }),
          tone: status === 'rejected' ? 'bad' : 'good',
        },
    expires_at == null ? null : { at: expires_at, title: 'Approval expires' },
  ]
  return moments.filter((moment) => moment !== null)
}

const ACTORS = { partner: 'The partner', merchant: 'The merchant', service: 'Staff' } as const

const nextStepsOf = (steps: readonly NextStep[]): Html =>
  steps.length === 0
    ? html`<p>No next steps.</p>`
    : html`<ol>
        ${steps.map(({ actor, message }) => html`<li><strong>${ACTORS[actor]}:</strong> ${message}</li>`)}
      </ol>`

const ordersOf = (orders: readonly FoundOrder[] | null): Html =>
  orders === null
    ? notice('warning', 'The orders are temporarily unavailable.', 'Load the page again in a moment.')
    : html`${orderTable(orders, 'No orders yet.')}
      ${orders.length === MAX_FOUND_ORDERS && html`<p class="hint">These are the newest ${MAX_FOUND_ORDERS} orders. Search for older ones by reference.</p>`}`

const suspensionForm = (session: StaffSession, customer: CustomerFile): Html => {
  const isSuspended = customer.suspended_capabilities.length > 0
  return dialogButton(
    {
      id: 'suspend',
      text: isSuspended ? 'Change the suspension…' : 'Suspend…',
      title: 'Suspend capabilities of the merchant?',
      look: 'danger',
    },
    html`<p>
        Checked capabilities become unavailable immediately, at every partner. Clear all boxes to lift the
        suspension.
      </p>
      ${consoleForm(
        session,
        `${customerPath(customer.partner_customer_id)}/suspension`,
        html`<fieldset class="field">
            <legend>Suspended capabilities</legend>
            ${CAPABILITIES.map(
              (capability) =>
                html`<div class="check">
                  <input
                    type="checkbox"
                    id="suspend-${capability}"
                    name="capabilities"
                    value="${capability}"
                    ${customer.suspended_capabilities.includes(capability) && html`checked`}
                  />
                  <label for="suspend-${capability}">${wordsOf(capability)}</label>
                </div>`,
            )}
          </fieldset>
          ${submit('Save the suspension', 'danger')}`,
      )}`,
  )
}

/** Renders the actions on the relationship. */
const relationshipActions = (session: StaffSession, customer: CustomerFile): Html => {
  const path = customerPath(customer.partner_customer_id)
  const isActive = customer.relationship_status === 'active'
  const revoke = dialogButton(
    { id: 'revoke', text: 'Revoke…', title: 'Revoke this relationship?', look: 'danger' },
    html`<p>The partner can no longer see the customer, and no longer receives its events.</p>
      ${consoleForm(session, `${path}/revoke`, submit('Revoke the relationship', 'danger'))}`,
  )
  return html`<div class="actions">
    ${!customer.link_confirmed && consoleForm(session, `${path}/confirm-link`, submit('Confirm the link'))}
    ${suspensionForm(session, customer)}
    ${isActive ? revoke : consoleForm(session, `${path}/reinstate`, submit('Reinstate', 'quiet'))}
  </div>`
}

const personalActions = (session: StaffSession, customer: CustomerFile): Html => {
  const path = customerPath(customer.partner_customer_id)
  return html`<section class="sheet" aria-labelledby="personal">
    <h2 id="personal">Personal data</h2>
    <p class="actions">${linkButton(`${path}/personal-data`, 'Export', 'quiet')}</p>
    ${
      customer.relationship_status === 'revoked' &&
      dialogButton(
        { id: 'erase', text: 'Delete…', title: 'Delete the personal data?', look: 'danger' },
        html`<p>You cannot undo this. The result lists the data that must be kept, with the reason.</p>
          ${consoleForm(session, `${path}/erase`, submit('Delete permanently', 'danger'))}`,
      )
    }
    ${customer.relationship_status === 'active' && html`<p class="hint">You can delete it after the relationship is revoked.</p>`}
  </section>`
}

/** Renders a partner's customer with all actions of staff. */
export const customerPage = (content: CustomerContent): Html => {
  const { session, customer, problem } = content
  const name = customer.customer.name ?? customer.external_customer_id
  return consolePage({
    session,
    current: CUSTOMERS_PATH,
    title: `${problem === null ? '' : 'Error: '}Customer ${name}`,
    main: html`<h1>${name}</h1>
      ${problem !== null && notice('bad', 'Nothing was done.', problem)} ${factsOf(content)}
      ${mayDo(session, 'reviewer') && relationshipActions(session, customer)} ${capabilityTable(content)}
      <section class="sheet" aria-labelledby="steps">
        <h2 id="steps">Next steps</h2>
        ${nextStepsOf(content.nextSteps)}
      </section>
      ${ordersOf(content.orders)}
      <section class="sheet" aria-labelledby="history">
        <h2 id="history">History</h2>
        ${historyOf(customer.partner_customer_id, momentsOf(customer), content.staffActions)}
      </section>
      ${mayDo(session, 'admin') && personalActions(session, customer)}`,
  })
}
