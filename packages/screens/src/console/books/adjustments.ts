import { randomUUID } from 'node:crypto'
import { adjustments } from '@causeway/contracts'
import { html, submit, textArea, textField } from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../money-input.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffRequest } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { ADJUSTMENTS_PATH, BOOKS_PATH, journalPath } from './words.ts'

/** Shows the form of an adjustment. Its key keeps a form that is sent twice from adjusting twice. */
export const showAdjustment = (
  { session, query }: StaffRequest,
  state: FormState = formWith(query),
  status = 200,
): Answer => {
  if (!mayDo(session, 'finance')) return { kind: 'error', code: 'insufficient_scope' }
  const { entered, errors } = state
  const field = (name: string, label: string, hint: string) =>
    textField({ name, label, hint, value: entered.get(name) ?? '', error: errors[name], isRequired: true })
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf('Adjust a balance', state),
      main: html`<h1>Adjust a balance</h1>
        <p>
          Moves an amount between <code>suspense</code> and the owner’s available balance, which never falls
          below zero. Use it to correct an error that no payment, refund or dispute corrects.
        </p>
        ${formFaults(state)}
        ${consoleForm(
          session,
          ADJUSTMENTS_PATH,
          html`<input type="hidden" name="key" value="${entered.get('key') ?? randomUUID()}" />
            ${field('owner', 'Owner', 'Id of a relationship (pcu_…) or of a partner')}
            ${field('unit', 'Unit', 'Currency, for example EUR, or network and asset, for example ETH/USDC')}
            ${field('amount', 'Amount', 'For example 12.50, or -12.50 to take it away')}
            ${textArea({
              name: 'reason',
              label: 'Reason',
              hint: 'At most 500 characters. The audit log keeps it; do not enter personal data.',
              value: entered.get('reason') ?? '',
              error: errors['reason'],
              isRequired: true,
            })}
            <p class="actions">
              ${submit('Adjust')} ${findMerchantButton('adjustment', 'Find the relationship by name…')}
            </p>`,
        )}`,
    }),
    status,
  )
}

const RELATIONSHIP = /^pcu_/

/** Names the fields of a refusal as the form has them. */
const onForm = (state: FormState): FormState => {
  const { partner_customer_id: ofRelationship, partner_id: ofPartner, ...errors } = state.errors
  const owner = ofRelationship ?? ofPartner
  return { ...state, errors: owner === undefined ? errors : { ...errors, owner } }
}

/** Adjusts a balance, then shows the posting. */
export const adjust = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const [owner, unit, entered, reason] = ['owner', 'unit', 'amount', 'reason'].map((name) =>
    (form.get(name) ?? '').trim(),
  ) as [string, string, string, string]
  const amount = unit.includes('/') ? entered : readMinorUnits(entered, unit)
  if (amount === null)
    return showAdjustment(request, { ...formWith(form), errors: { amount: minorUnitsAdvice(unit) } }, 400)
  const key = form.get('key')
  const reply = await ask(adjustments.create, {
    body: {
      ...(RELATIONSHIP.test(owner) ? { partner_customer_id: owner } : { partner_id: owner }),
      unit,
      amount,
      reason,
    },
    ...(key !== null && { idempotencyKey: key }),
  })
  if (reply.ok) return redirectTo(journalPath(reply.value.adjustment.journal_id))
  if (reply.code === 'resource_not_found')
    return showAdjustment(
      request,
      { ...formWith(form), errors: { owner: 'No relationship or partner has this id. Check the id.' } },
      404,
    )
  return answerRefusedForm(reply, form, (state, status) => showAdjustment(request, onForm(state), status))
}
