import { pricePlans, type PricePlan, type PricePlanVersion } from '@causeway/contracts'
import {
  filterForm,
  html,
  linkButton,
  notice,
  pagination,
  selectField,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { BOOKS_PATH, PRICE_PLANS_PATH } from '../books/words.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { writeRule } from './rules-text.ts'

export const NEW_PRICE_PLAN_PATH = `${PRICE_PLANS_PATH}/new`
export const ASSIGN_PRICE_PLAN_PATH = `${PRICE_PLANS_PATH}/assign`
const NO_PLAN = ''

const rulesCell = ({ rules }: PricePlanVersion): Html =>
  rules.length === 0
    ? html`No service fee`
    : html`${rules.map((rule) => html`<code>${writeRule(rule)}</code><br />`)}`

/** Amounts without a currency: they are minor units of whichever currency the order or payout has. */
const otherTerms = (version: PricePlanVersion): string =>
  [
    version.dispute_fee_cents === null ? null : `dispute fee ${version.dispute_fee_cents} minor units`,
    version.payout_fee_cents === null ? null : `payout fee ${version.payout_fee_cents} minor units`,
    `partner fee at most ${version.partner_fee_max_percent}%`,
    version.settlement === 'order_currency' ? 'crypto orders settle in the currency of their price' : null,
    version.use_kyb_choices ? 'uses the choices of the verification' : null,
  ]
    .filter((term) => term !== null)
    .join(', ')

const planPart = (session: StaffSession, plan: PricePlan): Html => html`
  ${table({
    caption: plan.is_default ? `${plan.name} (default plan)` : plan.name,
    columns: [
      { heading: 'Version', cell: (row) => String(row.number), isNumber: true },
      {
        heading: 'In force',
        cell: (row) => (row.in_force ? statusTag('good', 'In force') : html`from ${time(row.effective_at)}`),
      },
      { heading: 'Rules', cell: rulesCell },
      { heading: 'Other terms', cell: otherTerms },
      { heading: 'Made by', cell: (row) => row.created_by ?? 'SERVICE_FEE_PERCENT' },
    ],
    rows: plan.versions,
    empty: 'No version.',
  })}
  <p>
    <code>${plan.price_plan_id}</code>
    ${
      mayDo(session, 'finance') &&
      linkButton(`${NEW_PRICE_PLAN_PATH}?plan=${plan.price_plan_id}`, 'Add a version', 'quiet')
    }
  </p>
`

const assignForm = (
  session: StaffSession,
  plans: readonly PricePlan[],
  { entered, errors }: FormState,
): Html =>
  html`<h2>Assign a plan</h2>
    <p>New orders of a merchant follow its own plan, else its partner’s, else the default plan.</p>
    ${consoleForm(
      session,
      ASSIGN_PRICE_PLAN_PATH,
      html`${textField({
          name: 'owner',
          label: 'Partner or merchant',
          hint: 'Id of a partner (prt_…) or of a merchant (cus_…)',
          value: entered.get('owner') ?? '',
          error: errors['owner'],
          isRequired: true,
        })}
        ${selectField({
          name: 'price_plan_id',
          label: 'Price plan',
          value: entered.get('price_plan_id') ?? NO_PLAN,
          error: errors['price_plan_id'],
          options: [
            { value: NO_PLAN, text: 'None: the plan above applies' },
            ...plans.map(({ price_plan_id: value, name }) => ({ value, text: name })),
          ],
        })}
        <p class="actions">
          ${submit('Assign')} ${findMerchantButton('price-plan-assignment', 'Find the merchant by name…')}
        </p>`,
    )}`

const OF_PARTNER = /^prt_/

/** Renders the form that looks an assignment up, with the one that it has found. */
const assignmentPart = async ({ ask, query }: StaffRequest, plans: readonly PricePlan[]): Promise<Html> => {
  const owner = (query.get('of') ?? '').trim()
  const form = filterForm(
    PRICE_PLANS_PATH,
    html`${textField({
        name: 'of',
        label: 'Partner or merchant',
        hint: 'Id of a partner (prt_…) or of a merchant (cus_…)',
        value: owner,
      })}
      <p class="actions">${submit('Show its plan', 'quiet')} ${findMerchantButton('price-plan')}</p>`,
  )
  const heading = html`<h2>Plan of a partner or merchant</h2>`
  if (owner === '') return html`${heading} ${form}`
  const reply = OF_PARTNER.test(owner)
    ? await ask(pricePlans.getOfPartner, { params: { partnerId: owner } })
    : await ask(pricePlans.getOfMerchant, { params: { customerId: owner } })
  if (!reply.ok) {
    const advice =
      reply.code === 'resource_not_found'
        ? 'No partner or merchant has this id. Check the id.'
        : 'It cannot be read now. Try again in a minute.'
    return html`${heading} ${notice('bad', 'The plan is not shown.', advice)} ${form}`
  }
  const { assignment } = reply.value
  if (!assignment?.price_plan_id) {
    const applied = OF_PARTNER.test(owner) ? 'the default plan' : 'its partner’s plan, else the default plan,'
    return html`${heading}
      <p><code>${owner}</code> has no own plan: ${applied} applies.</p>
      ${form}`
  }
  const { price_plan_id: planId, assigned_at: since } = assignment
  const name = plans.find(({ price_plan_id: id }) => id === planId)?.name
  return html`${heading}
    <p>
      <code>${owner}</code> has the plan ${name !== undefined && html`<b>${name}</b>`} <code>${planId}</code>
      since ${time(since)}.
    </p>
    ${form}`
}

/** Lists the price plans, with the forms that show and assign the plan of a partner or a merchant. */
export const listPricePlans = async (
  request: StaffRequest,
  state: FormState = formWith(request.query),
  status = 200,
): Promise<Answer> => {
  const { ask, session, query } = request
  const reply = await ask(pricePlans.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { price_plans: plans, next_cursor: next } = reply.value
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf('Price plans', state),
      main: html`<h1>Price plans</h1>
        ${formFaults(state)}
        ${query.has('assigned') && notice('good', 'The plan is assigned.', 'It applies to new orders.')}
        ${mayDo(session, 'finance') && html`<p>${linkButton(NEW_PRICE_PLAN_PATH, 'New price plan')}</p>`}
        ${plans.map((plan) => planPart(session, plan))}
        ${pagination(pageLinks(PRICE_PLANS_PATH, request, next))} ${await assignmentPart(request, plans)}
        ${mayDo(session, 'finance') && assignForm(session, plans, state)}`,
    }),
    status,
  )
}

/** Assigns a plan to a partner or a merchant. */
export const assignPricePlan = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const owner = (form.get('owner') ?? '').trim()
  const chosen = form.get('price_plan_id') ?? NO_PLAN
  const body = { price_plan_id: chosen === NO_PLAN ? null : chosen }
  const reply = OF_PARTNER.test(owner)
    ? await ask(pricePlans.assignToPartner, { params: { partnerId: owner }, body })
    : await ask(pricePlans.assignToMerchant, { params: { customerId: owner }, body })
  if (reply.ok) return redirectTo(`${PRICE_PLANS_PATH}?assigned=1&of=${encodeURIComponent(owner)}`)
  if (reply.code === 'resource_not_found')
    return listPricePlans(
      request,
      { ...formWith(form), errors: { owner: 'No partner or merchant has this id. Check the id.' } },
      404,
    )
  return answerRefusedForm(reply, form, (state, status) => listPricePlans(request, state, status))
}
