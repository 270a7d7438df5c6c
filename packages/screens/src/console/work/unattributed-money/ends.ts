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

/** A field of the state; names differ from form to form, so that a page can have them all. */
const shown = ({ entered, errors }: FormState, name: string) => ({
  name,
  value: entered.get(name) ?? '',
  error: errors[name],
})

const refundSheet = ({ money, state }: Form): Html =>
  sheet(
    'refund',
    'Send it back',
    html`<p>You see what would be sent, from where and for which fee, before you confirm it.</p>
      ${addressForm(unattributedMoneyPath(money.unattributed_money_id), state)}`,
  )

const applySheet = ({ session, money, state }: Form): Html =>
  sheet(
    'apply',
    'Apply it to the order',
    html`<p>
        The merchant accepts it as payment.
        ${
          money.order_id === null
            ? 'It becomes a deposit of the order, which then has received so much more.'
            : 'An order that is not paid becomes paid, and the merchant is notified.'
        }
        It cannot be undone.
      </p>
      ${consoleForm(
        session,
        `${unattributedMoneyPath(money.unattributed_money_id)}/apply`,
        html`${
            money.order_id === null &&
            textField({
              ...shown(state, 'order_id'),
              label: 'Order',
              hint: 'The id of the crypto order that it pays, which begins with ord_',
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
        The platform keeps it, for example because the network fee would be higher. The order stays as it is.
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
    'Handled by hand',
    html`<p>
        ${
          money.processor === null
            ? 'It was sent elsewhere by other means, or settled outside the platform.'
            : 'It was refunded at the card processor, or settled outside the platform.'
        }
        The order stays as it is.
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
                ? 'Its id, where there is one'
                : 'The processor’s reference of the refund, where there is one',
          })}
          <p class="actions">${submit('Record it as handled', 'quiet')}</p>`,
      )}`,
  )

/** Card payments are refunded at their processor. */
const canRefund = ({ processor }: UnattributedMoney): boolean => processor === null
/** A card payment of another amount pays no order, and a refunded order takes no payment any more. */
const canApply = ({ kind, order_status: status }: UnattributedMoney): boolean =>
  kind !== 'card_mismatch' && status !== 'refunded'

/** The ways in which staff can end an open amount, each as a form. */
export const endForms = (form: Form): Html =>
  html`<h2>Decide what becomes of it</h2>
    <div class="beside">
      ${canRefund(form.money) && refundSheet(form)} ${canApply(form.money) && applySheet(form)}
      ${keepSheet(form)} ${handledSheet(form)}
    </div>`
