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

/** Where the refund of something is shown and asked for. */
export const refundPathOf = (path: string): string => `${path}/refund`

const addressField = (state: FormState): Html =>
  textField({
    name: 'to_address',
    label: 'To the address',
    hint: 'An address of the same network, as the payer has named it, and not the platform’s own',
    value: state.entered.get('to_address') ?? '',
    error: state.errors['to_address'],
    isRequired: true,
  })

/** What is wrong with the form, above it. */
const faults = ({ errors, problem }: FormState): Html =>
  html`${errorSummary(errors, 'Nothing was sent. Please correct:')}
  ${problem !== null && notice('bad', 'Nothing was sent.', problem)}`

/** Asks for the address that something is sent back to; nothing is sent from it. @param path of the page of what it is */
export const addressForm = (path: string, state: FormState): Html =>
  html`${queryForm(
      refundPathOf(path),
      html`${addressField(state)}
        <p class="actions">${submit('Show what would be sent', 'quiet')}</p>`,
    )}
    <p><a href="${refundPathOf(path)}?by_hand=yes">Record a refund that staff have sent</a></p>`

/** What is sent with the confirmation: exactly what the page shows. */
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

/** What is confirmed. `path`: of the page of what is sent back. */
export type Confirmed = Readonly<{ path: string; plan: RefundPlan; toAddress: string }>

/** The page on which staff record what they have sent. */
export const recording = (session: StaffSession, { path, plan }: Confirmed, state: FormState): Html =>
  html`<h1>Record a refund that was sent</h1>
    ${faults(state)}
    <p>The platform sends nothing. Record here what was sent from your own wallet.</p>
    ${planFacts(plan, { toAddress: null, sentBy: 'staff' })}
    ${confirmForm(
      session,
      refundPathOf(path),
      { ...confirmedFields(plan), sent_by_hand: 'yes' },
      html`${addressField(state)}
        ${textField({
          name: 'tx_id',
          label: 'Transaction',
          hint: 'The id of the transaction that sent it',
          value: state.entered.get('tx_id') ?? '',
          error: state.errors['tx_id'],
        })}
        <p class="actions">${submit('Record the refund', 'danger')} <a href="${path}">Back</a></p>`,
    )}`

/** The page on which a refund is confirmed: what is sent, from where, to whom, by whom, and what the network takes. */
export const confirmation = (
  session: StaffSession,
  { path, plan, toAddress }: Confirmed,
  state: FormState,
): Html =>
  html`<h1>Send this back?</h1>
    ${faults(state)} ${obstacleNotice(plan)} ${planFacts(plan, { toAddress })}
    <p>
      A payment that was sent cannot be undone. Compare the address with the one that the payer has named.
    </p>
    ${confirmForm(
      session,
      refundPathOf(path),
      { ...confirmedFields(plan), to_address: toAddress },
      html`<p class="actions">
        ${submit(`Send ${plan.amount} ${plan.asset}`, 'danger')} <a href="${path}">Back without sending</a>
      </p>`,
    )}`

/** The page that asks for another address. */
export const addressPage = (path: string, state: FormState): Html =>
  html`<h1>Send this back</h1>
    ${faults(state)} ${addressForm(path, state)}
    <p><a href="${path}">Back without sending</a></p>`

/** The request of a confirmation. */
export const refundRequestOf = (form: URLSearchParams): RefundRequest => {
  const byHand = form.get('sent_by_hand') === 'yes'
  const txId = form.get('tx_id')?.trim() ?? ''
  return {
    to_address: form.get('to_address')?.trim() ?? '',
    expected: {
      amount: form.get('expected_amount') ?? '',
      from_address: form.get('expected_from_address') ?? '',
    },
    ...(byHand && { sent_by_hand: true }),
    ...(txId !== '' && { tx_id: txId }),
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  transfer: 'one refund',
  day: 'all refunds of a day',
  address_and_day: 'refunds to one address in a day',
}

/** The form with why a refund was refused: which limit is reached, and when it resets. */
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
