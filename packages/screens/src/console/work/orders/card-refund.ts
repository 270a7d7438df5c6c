import { randomUUID } from 'node:crypto'
import { fiatOrders, refunds, type ErrorCode, type FiatOrderOfPartner } from '@causeway/contracts'
import { EMPTY, fiatOfMinorUnits, html, submit, textField, type Html } from '../../../design/index.ts'
import { formFaults, type FormState, formWith } from '../../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../../money-input.ts'
import { answerRefusedForm, redirectTo } from '../../../replies.ts'
import type { Answer } from '../../../screen.ts'
import { consoleForm, type StaffRequest, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { cardOrderPath } from '../paths.ts'

export const refundFormPath = (orderKey: string): string => `${cardOrderPath(orderKey)}/refund`

const isRefundable = ({ kind, status }: FiatOrderOfPartner): boolean =>
  kind === 'order' && (status === 'paid' || status === 'completed')

/**
 * Renders the form with which staff refund an order for its partner, if there is something to refund and the user has the
 * role. Its key keeps a form that is sent twice from refunding twice.
 */
export const refundForm = (session: StaffSession, order: FiatOrderOfPartner, state: FormState): Html => {
  if (!isRefundable(order) || !mayDo(session, 'finance')) return EMPTY
  const { entered, errors } = state
  return html`<section class="sheet" aria-labelledby="refund">
    <h2 id="refund">Refund the order</h2>
    <p>
      The payer gets the money back on the card. The partner’s capabilities and its daily limit do not apply;
      it receives the same events as for a refund that it requested.
    </p>
    ${formFaults(state)}
    ${consoleForm(
      session,
      refundFormPath(order.order_key),
      html`<input type="hidden" name="key" value="${entered.get('key') ?? randomUUID()}" />
        ${textField({
          name: 'amount',
          label: `Amount in ${order.currency}`,
          hint: 'For example 12.50',
          value: entered.get('amount') ?? '',
          error: errors['amount'] ?? errors['amount_cents'],
          inputmode: 'decimal',
          isRequired: true,
        })}
        ${textField({
          name: 'description',
          label: 'Description (optional)',
          hint: 'The partner can read it, and the processor may show it to the payer.',
          value: entered.get('description') ?? '',
          error: errors['description'],
        })}
        <p class="actions">${submit('Refund', 'danger')}</p>`,
    )}
  </section>`
}

const remainingAdvice = (code: ErrorCode, remaining: number, currency: string): string => {
  const amount = fiatOfMinorUnits(remaining, currency)
  return code === 'refund_full_value_only'
    ? `The processor refunds no part of this payment. Enter all that is not refunded yet: ${amount}.`
    : `At most ${amount} of this payment is not refunded yet.`
}

/** Refunds an order. @param show shows its page with the refused form */
export const refundOrder = async (
  request: StaffRequest,
  show: (state: FormState, status: number) => Promise<Answer>,
): Promise<Answer> => {
  const { ask, form, params } = request
  const orderKey = params['orderKey'] ?? ''
  const found = await ask(fiatOrders.getByStaff, { params: { orderKey } })
  if (!found.ok) return { kind: 'error', code: found.code }
  const { partner_id: partnerId, currency } = found.value.order
  const amount = readMinorUnits(form.get('amount') ?? '', currency)
  if (amount === null) return show({ ...formWith(form), errors: { amount: minorUnitsAdvice(currency) } }, 400)
  const description = form.get('description')?.trim() ?? ''
  const reply = await ask(refunds.createByStaff, {
    params: { partnerId, orderKey },
    body: { amount_cents: amount, ...(description !== '' && { description }) },
    idempotencyKey: form.get('key') ?? '',
  })
  if (reply.ok) return redirectTo(cardOrderPath(orderKey))
  const remaining = reply.details?.[0]?.['remaining_refundable_cents']
  return typeof remaining === 'number'
    ? show({ ...formWith(form), errors: { amount: remainingAdvice(reply.code, remaining, currency) } }, 409)
    : answerRefusedForm(reply, form, show)
}
