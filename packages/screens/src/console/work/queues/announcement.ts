import type { payouts } from '@causeway/contracts'
import type { z } from 'zod'
import { html, submit, textField, timeField, type FieldErrors, type Html } from '../../../design/index.ts'
import { formFaults, type FormState } from '../../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../../money-input.ts'
import { readUtcTime } from '../../../time-input.ts'
import { findMerchantButton } from '../../find-merchant/button.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'
import { PAYOUTS_PATH } from '../paths.ts'

/** Renders the form that announces a payout. */
export const announceForm = (session: StaffSession, state: FormState): Html => {
  const { entered, errors } = state
  const field = (
    name: string,
    label: string,
    hint: string,
    more: Partial<Parameters<typeof textField>[0]> = {},
  ) =>
    textField({
      name,
      label,
      hint,
      value: entered.get(name) ?? '',
      error: errors[name],
      isRequired: true,
      ...more,
    })
  return html`<section class="sheet" aria-labelledby="announce">
    <h2 id="announce">Announce a payout</h2>
    ${consoleForm(
      session,
      PAYOUTS_PATH,
      html`${formFaults(state)}
        ${field('recipient', 'Merchant or partner', 'Its id, which begins with cus_ or prt_')}
        ${field('amount', 'Amount', 'For example 1250.00', { inputmode: 'decimal' })}
        ${field('currency', 'Currency', 'Three letters, for example EUR')}
        ${timeField({
          name: 'scheduled_for',
          label: 'Scheduled for',
          hint: 'A time in the future',
          value: entered.get('scheduled_for') ?? '',
          error: errors['scheduled_for'],
          isRequired: true,
        })}
        <p class="actions">
          ${submit('Announce')} ${findMerchantButton('payout-announcement', 'Find the merchant by name…')}
        </p>`,
    )}
  </section>`
}

/** The terms that payouts to merchants and to partners have in common. */
type Terms = z.input<typeof payouts.announceToPartner.body>

const textOf = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim()

/** Reads a time in UTC. @returns null for no time, and for one that is not after `now` */
const readFuture = (entered: string, now: Date): string | null => {
  const time = readUtcTime(entered)
  return time !== null && Date.parse(time) > now.getTime() ? time : null
}

/** Reads the form of {@link announceForm}: the amount in major units of its currency, the time in UTC. */
export const readAnnouncement = (
  form: URLSearchParams,
  now: Date,
): Readonly<{ recipient: string; terms: Terms; errors: FieldErrors }> => {
  const currency = textOf(form, 'currency').toUpperCase()
  const amount = readMinorUnits(textOf(form, 'amount'), currency)
  const scheduledFor = readFuture(textOf(form, 'scheduled_for'), now)
  return {
    recipient: textOf(form, 'recipient'),
    terms: {
      amount_cents: amount ?? 0,
      currency,
      scheduled_for: scheduledFor ?? now.toISOString(),
    },
    errors: {
      ...(amount === null && { amount: minorUnitsAdvice(currency) }),
      ...(scheduledFor === null && { scheduled_for: 'Enter a time in the future.' }),
    },
  }
}

/** Names refused fields as the form has them. */
export const withOwnNames = (state: FormState): FormState => {
  const { amount_cents: amount, customer_id: recipient, ...errors } = state.errors
  return {
    ...state,
    errors: {
      ...errors,
      ...(amount !== undefined && { amount }),
      ...(recipient !== undefined && { recipient }),
    },
  }
}
