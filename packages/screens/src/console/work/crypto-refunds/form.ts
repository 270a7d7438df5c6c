import type { ErrorDetail, RefundPlan, RefundRequest } from '@causeway/contracts'
import {
  errorSummary,
  form as postForm,
  html,
  notice,
  queryForm,
  submit,
  textField,
  type Html,
} from '../../../design/index.ts'
import { refusedForm, type FormState } from '../../../form-state.ts'
import { FORM_TOKEN } from '../../../session.ts'
import type { StaffSession } from '../../frame.ts'
import { obstacleNotice, planFacts } from './plan.ts'

/** Returns the path of the refund page. */
export const refundPathOf = (path: string): string => `${path}/refund`

const addressField = (state: FormState): Html =>
  textField({
    name: 'to_address',
    label: 'Refund address',
    hint: 'The address that the payer gave you, on the same network. It must not be one of the platform’s.',
    value: state.entered.get('to_address') ?? '',
    error: state.errors['to_address'],
    isRequired: true,
  })

/** Renders the errors of the form. */
const faults = ({ errors, problem }: FormState): Html =>
  html`${errorSummary(errors, 'Nothing was sent. Correct these errors:')}
  ${problem !== null && notice('bad', 'Nothing was sent.', problem)}`

/** Renders the form for the refund address. It sends nothing yet. @param path of the page of the money */
export const addressForm = (path: string, state: FormState): Html =>
  html`${queryForm(
      refundPathOf(path),
      html`${addressField(state)}
        <p class="actions">${submit('Review the refund', 'quiet')}</p>`,
    )}
    <p><a href="${refundPathOf(path)}?by_hand=yes">Record a refund that staff sent</a></p>`

/** Hidden fields with the plan that the page shows, so that exactly this plan is confirmed. */
const confirmedFields = (plan: RefundPlan): Readonly<Record<string, string>> => ({
  expected_amount: plan.amount,
  expected_from_address: plan.from_address,
})

const confirmForm = (
  { formToken }: StaffSession,
  action: string,
  hidden: Readonly<Record<string, string>>,
  content: Html,
): Html => postForm({ action, hidden: { [FORM_TOKEN]: formToken, ...hidden } }, content)

/** The refund to confirm. `path` is that of the money's page. */
export type Confirmed = Readonly<{ path: string; plan: RefundPlan; toAddress: string }>

/** Renders the page on which staff record a refund that they sent. */
export const recording = (session: StaffSession, { path, plan }: Confirmed, state: FormState): Html =>
  html`<h1>Record a refund that staff sent</h1>
    ${faults(state)}
    <p>The platform sends nothing. Record what you sent from your own wallet.</p>
    ${planFacts(plan, { toAddress: null, sentBy: 'staff' })}
    ${confirmForm(
      session,
      refundPathOf(path),
      { ...confirmedFields(plan), sent_by_hand: 'yes' },
      html`${addressField(state)}
        ${textField({
          name: 'tx_id',
          label: 'Transaction',
          hint: 'The id of the refund’s transaction. Where the platform has nodes of the network, they check it.',
          value: state.entered.get('tx_id') ?? '',
          error: state.errors['tx_id'],
        })}
        ${textField({
          name: 'sent_amount',
          label: `Amount that arrives, in ${plan.asset}`,
          hint: `Only where the network’s fee was taken from it. Empty: ${plan.amount}`,
          inputmode: 'decimal',
          value: state.entered.get('sent_amount') ?? '',
          error: state.errors['sent_amount'],
        })}
        <p class="actions">${submit('Record the refund', 'danger')} <a href="${path}">Back</a></p>`,
    )}`

/** Renders the confirmation page of a refund: amount, addresses, sender and network fee. */
export const confirmation = (
  session: StaffSession,
  { path, plan, toAddress }: Confirmed,
  state: FormState,
): Html =>
  html`<h1>Confirm the refund</h1>
    ${faults(state)} ${obstacleNotice(plan)} ${planFacts(plan, { toAddress })}
    <p>A sent payment cannot be undone. Compare the address with the one that the payer gave you.</p>
    ${confirmForm(
      session,
      refundPathOf(path),
      { ...confirmedFields(plan), to_address: toAddress },
      html`<p class="actions">
        ${submit(`Send ${plan.amount} ${plan.asset}`, 'danger')} <a href="${path}">Back without sending</a>
      </p>`,
    )}`

/** Renders the page that asks for a different address. */
export const addressPage = (path: string, state: FormState): Html =>
  html`<h1>Refund</h1>
    ${faults(state)} ${addressForm(path, state)}
    <p><a href="${path}">Back without sending</a></p>`

/** Reads the refund request from a confirmation. */
export const refundRequestOf = (form: URLSearchParams): RefundRequest => {
  const byHand = form.get('sent_by_hand') === 'yes'
  const txId = form.get('tx_id')?.trim() ?? ''
  const sentAmount = form.get('sent_amount')?.trim() ?? ''
  return {
    to_address: form.get('to_address')?.trim() ?? '',
    expected: {
      amount: form.get('expected_amount') ?? '',
      from_address: form.get('expected_from_address') ?? '',
    },
    ...(byHand && { sent_by_hand: true }),
    ...(txId !== '' && { tx_id: txId }),
    ...(sentAmount !== '' && { sent_amount: sentAmount }),
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  transfer: 'one refund',
  day: 'all refunds of a day',
  address_and_day: 'refunds to one address in a day',
}

/** Returns the refused form with the limit that was reached, and when it resets. */
export const refusedRefund = (
  entered: URLSearchParams,
  refused: Readonly<{ code: Parameters<typeof refusedForm>[1]['code']; details?: readonly ErrorDetail[] }>,
): FormState => {
  const state = refusedForm(entered, refused)
  const [detail] = refused.details ?? []
  if (refused.code !== 'limit_reached' || detail === undefined) return state
  const { applies_to: appliesTo, limit, remaining, asset, resets_at: resetsAt } = detail
  const which = LIMITS[String(appliesTo)] ?? 'refunds'
  const resets = typeof resetsAt === 'string' ? ` It resets at ${resetsAt}.` : ''
  return {
    ...state,
    problem: `The limit for ${which} is ${String(limit)} ${String(asset)}; ${String(remaining)} ${String(asset)} are left.${resets}`,
  }
}
