import type { ErrorDetail, RefundPlan, RefundRequest } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  filterForm,
  form as postForm,
  html,
  notice,
  submit,
  textField,
  type Html,
} from '../../../design/index.ts'
import { formFaults, formWith, refusedForm, type FormState } from '../../../form-state.ts'
import { FORM_TOKEN } from '../../../session.ts'
import type { StaffSession } from '../../frame.ts'
import { wordsOf } from '../words.ts'

/** Where the refund of something is shown and asked for. */
export const refundPathOf = (path: string): string => `${path}/refund`

const factsOf = (plan: RefundPlan, toAddress: string | null): Html => {
  const { amount, asset, network, from_address: from, network_fee: fee, fee_asset: feeAsset, arrives } = plan
  return definitionList([
    { term: 'Amount', value: `${amount} ${asset} on ${network}` },
    { term: 'From the address', value: html`<code>${from}</code>` },
    ...(toAddress === null ? [] : [{ term: 'To the address', value: html`<code>${toAddress}</code>` }]),
    ...(plan.sent_by === 'staff'
      ? []
      : [
          {
            term: 'The network takes at most',
            value: fee === null ? 'Not known now' : `${fee} ${feeAsset ?? ''}`,
          },
          { term: 'Arrives, about', value: arrives === null ? 'Not known now' : `${arrives} ${asset}` },
        ]),
  ])
}

const addressField = (plan: RefundPlan, state: FormState): Html =>
  textField({
    name: 'to_address',
    label: 'To the address',
    hint: `An address of ${plan.network} that is not the platform’s own`,
    value: state.entered.get('to_address') ?? '',
    error: state.errors['to_address'],
    isRequired: true,
  })

/** Opens a dialog that shows what a refund would send; nothing is sent from it. */
export const refundButton = (path: string, plan: RefundPlan): Html => {
  const action = refundPathOf(path)
  if (plan.sent_by === 'staff')
    return html`<p><a class="button danger" href="${action}?by_hand=yes">Record a refund…</a></p>`
  return html`${dialogButton(
      { id: 'refund', text: 'Refund…', title: 'Send this back?', look: 'danger' },
      html`${factsOf(plan, null)}
      ${filterForm(action, html`${addressField(plan, formWith())} ${submit('Check the refund', 'primary')}`)}`,
    )}
    <p><a href="${action}?by_hand=yes">Record a refund that was sent by hand</a></p>`
}

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

/** The page on which a refund is confirmed: what is sent, from where, to whom, and what the network takes. */
export const confirmation = (
  session: StaffSession,
  path: string,
  { plan, toAddress, byHand }: Readonly<{ plan: RefundPlan; toAddress: string; byHand: boolean }>,
  state: FormState,
): Html => {
  const action = refundPathOf(path)
  if (byHand)
    return html`<h1>Record a refund that was sent</h1>
      ${formFaults(state)}
      <p>The platform sends nothing. Record here what was sent from the wallet.</p>
      ${factsOf(plan, null)}
      ${confirmForm(
        session,
        action,
        { ...confirmedFields(plan), sent_by_hand: 'yes' },
        html`${addressField(plan, state)}
        ${textField({
          name: 'tx_id',
          label: 'Transaction',
          hint: 'The id of the transaction that sent it',
          value: state.entered.get('tx_id') ?? '',
          error: state.errors['tx_id'],
        })}
        ${submit('Record the refund', 'danger')}`,
      )}`
  return html`<h1>Send this back?</h1>
    ${formFaults(state)}
    ${plan.obstacle !== null && notice('warning', 'The signer would not send it now.', `${wordsOf(plan.obstacle)}.`)}
    ${factsOf(plan, toAddress)}
    <p>What is sent cannot be taken back. Compare the address with what the payer has named.</p>
    ${confirmForm(
      session,
      action,
      { ...confirmedFields(plan), to_address: toAddress },
      submit(`Send ${plan.amount} ${plan.asset}`, 'danger'),
    )}
    <p><a href="${path}">Back without sending</a></p>`
}

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
