import {
  reservePlans,
  type MerchantReserve,
  type ReservePlan,
  type ReservePlanRequest,
  type ReserveSimulation,
} from '@causeway/contracts'
import {
  amountInUnit,
  checkbox,
  dialogButton,
  html,
  linkButton,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../money-input.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { MERCHANTS_PATH } from './view.ts'

const pathOf = (customerId: string): string => `${MERCHANTS_PATH}/${customerId}/reserve-plan`
const idOf = ({ params }: StaffRequest): string => params['customerId'] ?? ''

const termsOf = ({ share_percent, days, fixed_cents, currency }: ReservePlan): string =>
  fixed_cents === null || currency === null
    ? `${share_percent ?? 0} % of each order for ${days ?? 0} days`
    : amountInUnit(fixed_cents, currency)

const reservedTable = ({ reserved }: MerchantReserve): Html =>
  table({
    caption: 'Reserved',
    columns: [
      { heading: 'Relationship', cell: (row) => html`<code>${row.partner_customer_id}</code>` },
      { heading: 'Amount', cell: (row) => amountInUnit(row.amount, row.unit) },
    ],
    rows: reserved,
    empty: 'Nothing is reserved.',
  })

const historyTable = ({ history }: MerchantReserve): Html =>
  table({
    caption: 'Plans',
    columns: [
      { heading: 'Holds', cell: termsOf },
      { heading: 'From', cell: (plan) => time(plan.in_force_from) },
      {
        heading: 'Until',
        cell: ({ in_force_to: to }) => (to === null ? 'in force' : time(to)),
      },
    ],
    rows: history,
    empty: 'No plan was ever set.',
  })

const endButton = (session: StaffSession, customerId: string): Html =>
  dialogButton(
    { id: 'end-plan', text: 'End the plan…', title: 'End the reserve plan?', look: 'danger' },
    html`<p>
        A fixed amount is released within seconds. Shares of earlier orders are released when their days are
        over.
      </p>
      ${consoleForm(session, `${pathOf(customerId)}/end`, submit('End the plan', 'danger'))}`,
  )

const planForm = (session: StaffSession, customerId: string, { entered, errors }: FormState): Html => {
  const field = (name: string, label: string, hint: string) =>
    textField({ name, label, hint, value: entered.get(name) ?? '', error: errors[name] })
  return consoleForm(
    session,
    pathOf(customerId),
    html`<h2>Set or simulate a plan</h2>
      <p>Enter either a share and days, or a fixed amount and its currency.</p>
      ${field('share_percent', 'Share in percent', 'Of what each order earns, for example 7.5')}
      ${field('days', 'Days', 'How long a share is held after its order became available, at most 730')}
      ${field('fixed', 'Fixed amount', 'For example 5000.00. It is refilled from later payments.')}
      ${field('currency', 'Currency', 'Of the fixed amount, for example EUR')}
      ${checkbox({
        name: 'simulate',
        label: 'Only simulate it over the last 180 days',
        isChecked: entered.has('simulate'),
      })}
      <p class="actions">${submit('Continue')}</p>`,
  )
}

const simulationTable = ({ since, until, units }: ReserveSimulation): Html =>
  html`<section>
    <p>The plan would have held and covered this from ${time(since)} to ${time(until)}. Nothing was set.</p>
    ${table({
      caption: 'Simulation',
      columns: [
        { heading: 'At most', cell: (row) => amountInUnit(row.maximum, row.unit), isNumber: true },
        { heading: 'On average', cell: (row) => amountInUnit(row.average, row.unit), isNumber: true },
        { heading: 'Refunds and disputes', cell: (row) => amountInUnit(row.taken, row.unit), isNumber: true },
        { heading: 'Of these covered', cell: (row) => amountInUnit(row.covered, row.unit), isNumber: true },
      ],
      rows: units,
      empty: 'The merchant earned nothing in this time.',
    })}
  </section>`

/** Shows the reserve plan of a merchant, what is reserved, and the form of a new plan. */
export const showReservePlan = async (
  request: StaffRequest,
  state: FormState = formWith(),
  status = 200,
  simulation: ReserveSimulation | null = null,
): Promise<Answer> => {
  const { ask, session } = request
  const customerId = idOf(request)
  const reply = await ask(reservePlans.get, { params: { customerId } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const plans = reply.value
  const mayChange = mayDo(session, 'finance')
  const main = html`<h1>Reserve plan of <code>${customerId}</code></h1>
    <p>
      A plan holds a share of what a merchant earns for some days, or a fixed amount, against refunds and
      disputes. Refunds and disputes of an order take its own reserve first.
    </p>
    ${formFaults(state)} ${simulation !== null && simulationTable(simulation)} ${reservedTable(plans)}
    ${historyTable(plans)}
    ${mayChange && plans.reserve_plan !== null && html`<p class="actions">${endButton(session, customerId)}</p>`}
    ${mayChange && planForm(session, customerId, state)}
    <p class="actions">${linkButton(`${MERCHANTS_PATH}/${customerId}`, 'Back to the merchant', 'quiet')}</p>`
  const title = titleOf('Reserve plan', state)
  return pageOf(consolePage({ session, current: MERCHANTS_PATH, title, main }), status)
}

/** Reads the form. Empty fields are left out; the operation refuses what does not belong together. */
const readPlan = (
  form: URLSearchParams,
): Readonly<{ body: ReservePlanRequest } | { errors: Record<string, string> }> => {
  const valueOf = (name: string) => (form.get(name) ?? '').trim()
  const [share, days, fixed, currency] = ['share_percent', 'days', 'fixed', 'currency'].map(valueOf) as [
    string,
    string,
    string,
    string,
  ]
  const fixedCents = fixed === '' ? undefined : readMinorUnits(fixed, currency)
  if (fixedCents === null) return { errors: { fixed: minorUnitsAdvice(currency) } }
  if (share !== '' && !/^\d{1,3}(\.\d{1,2})?$/.test(share))
    return { errors: { share_percent: 'Enter a percentage with at most two decimals, for example 7.5.' } }
  if (days !== '' && !/^\d{1,4}$/.test(days)) return { errors: { days: 'Enter a whole number of days.' } }
  return {
    body: {
      ...(share !== '' && { share_percent: Number(share) }),
      ...(days !== '' && { days: Number(days) }),
      ...(fixedCents !== undefined && { fixed_cents: fixedCents }),
      ...(currency !== '' && { currency }),
    },
  }
}

/** Names the fields of a refusal as the form has them. */
const onForm = (state: FormState): FormState => {
  const { fixed_cents: fixed, ...errors } = state.errors
  return { ...state, errors: fixed === undefined ? errors : { ...errors, fixed } }
}

/** Sets or simulates the plan that the form describes. */
export const setReservePlan = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const customerId = idOf(request)
  const read = readPlan(form)
  if ('errors' in read) return showReservePlan(request, { ...formWith(form), errors: read.errors }, 400)
  const reply = await ask(reservePlans.set, {
    params: { customerId },
    body: read.body,
    query: form.has('simulate') ? { simulate: 'true' } : {},
  })
  if (reply.ok && reply.value.simulation !== null)
    return showReservePlan(request, formWith(form), 200, reply.value.simulation)
  if (reply.ok) return redirectTo(pathOf(customerId))
  return answerRefusedForm(reply, form, (state, status) => showReservePlan(request, onForm(state), status))
}

/** Ends the plan that is in force. */
export const endReservePlan = async (request: StaffRequest): Promise<Answer> => {
  const customerId = idOf(request)
  const reply = await request.ask(reservePlans.end, { params: { customerId } })
  if (reply.ok) return redirectTo(pathOf(customerId))
  return answerRefusedForm(reply, request.form, (state, status) => showReservePlan(request, state, status))
}
