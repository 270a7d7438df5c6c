import type { UnattributedMoney } from '@causeway/contracts'
import { html, submit, textArea, textField, type Html } from '../../../design/index.ts'
import type { FormState } from '../../../form-state.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'
import { addressForm } from '../crypto-refunds/form.ts'
import { unattributedMoneyPath } from '../paths.ts'
import { amountOf } from './words.ts'

type Form = Readonly<{ session: StaffSession; money: UnattributedMoney; state: FormState }>

const sheet = (id: string, title: string, content: Html): Html =>
  html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

/** Returns a field's state. Field names differ between the forms, because one page has all of them. */
const shown = ({ entered, errors }: FormState, name: string) => ({
  name,
  value: entered.get(name) ?? '',
  error: errors[name],
})

const refundSheet = ({ money, state }: Form): Html =>
  sheet(
    'refund',
    'Refund it',
    html`<p>You can review the amount, the addresses and the fee before you confirm.</p>
      ${addressForm(unattributedMoneyPath(money.unattributed_money_id), state)}`,
  )

const applySheet = ({ session, money, state }: Form): Html =>
  sheet(
    'apply',
    'Apply it to the order',
    html`<p>
        Use this if the merchant accepts it as payment.
        ${
          money.order_id === null
            ? 'It becomes a deposit of the order.'
            : 'An order that is not paid becomes paid, and the merchant is notified.'
        }
        You cannot undo this.
      </p>
      ${consoleForm(
        session,
        `${unattributedMoneyPath(money.unattributed_money_id)}/apply`,
        html`${
            money.order_id === null &&
            textField({
              ...shown(state, 'order_id'),
              label: 'Order',
              hint: 'The id of the crypto order to pay, which begins with ord_',
              isRequired: true,
            })
          }
          ${textArea({
            ...shown(state, 'merchant_consent'),
            label: 'The merchant’s consent',
            hint: 'Who agreed, when and how',
            isRequired: true,
          })}
          <p class="actions">${submit(`Apply ${amountOf(money)}`)}</p>`,
      )}`,
  )

const keepSheet = ({ session, money, state }: Form): Html =>
  sheet(
    'keep',
    'Keep it',
    html`<p>
        Use this if the platform keeps the money, for example because a refund’s network fee would be higher.
        The order does not change.
      </p>
      ${consoleForm(
        session,
        `${unattributedMoneyPath(money.unattributed_money_id)}/keep`,
        html`${textArea({ ...shown(state, 'keep_reason'), label: 'Reason', isRequired: true })}
          <p class="actions">${submit(`Keep ${amountOf(money)}`, 'quiet')}</p>`,
      )}`,
  )

const handledSheet = ({ session, money, state }: Form): Html =>
  sheet(
    'handled',
    'Handled manually',
    html`<p>
        ${
          money.processor === null
            ? 'Use this if the money was sent by other means, or settled outside the platform.'
            : 'Use this if the payment was refunded at the card processor, or settled outside the platform.'
        }
        The order does not change.
      </p>
      ${consoleForm(
        session,
        `${unattributedMoneyPath(money.unattributed_money_id)}/handled`,
        html`${textArea({
            ...shown(state, 'handled_reason'),
            label: 'Note',
            hint: 'What was done, and by whom',
            isRequired: true,
          })}
          ${textField({
            ...shown(state, 'tx_id'),
            label: 'Transaction',
            hint:
              money.processor === null
                ? 'The transaction id, if there is one'
                : 'The processor’s reference for the refund, if there is one',
          })}
          <p class="actions">${submit('Record as handled', 'quiet')}</p>`,
      )}`,
  )

/** Card payments are refunded at their processor. */
const canRefund = ({ processor }: UnattributedMoney): boolean => processor === null
/** A card payment with a different amount cannot pay an order, and a refunded order accepts no payment. */
const canApply = ({ kind, order_status: status }: UnattributedMoney): boolean =>
  kind !== 'card_mismatch' && status !== 'refunded'

/** Renders the forms for the possible resolutions of an open amount. */
export const endForms = (form: Form): Html =>
  html`<h2>Choose a resolution</h2>
    <div class="side-by-side">
      ${canRefund(form.money) && refundSheet(form)} ${canApply(form.money) && applySheet(form)}
      ${keepSheet(form)} ${handledSheet(form)}
    </div>`
