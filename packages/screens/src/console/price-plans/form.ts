import { PREVIEW_DAYS, pricePlans, pricePreviews, type PricePreview } from '@causeway/contracts'
import { checkbox, html, selectField, submit, textArea, textField, timeField } from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { utcTimeOr } from '../../time-input.ts'
import { BOOKS_PATH, PRICE_PLANS_PATH } from '../books/words.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffRequest } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { previewTables } from './preview.ts'
import { readRules, RULE_FORM } from './rules-text.ts'

export const PREVIEW_PRICES_PATH = `${PRICE_PLANS_PATH}/preview`

const SETTLEMENTS = [
  { value: 'asset', text: 'In the asset that was paid' },
  { value: 'order_currency', text: 'In the currency of the order’s price' },
]

const HINTS = {
  cents: 'In minor units of the order’s or payout’s currency, for example 1500. Empty: none',
  percent: 'In percent of an order’s amount, at most 2 decimals',
  from: 'Empty: now',
} as const

/** Shows the form of a new plan, or of a new version of the plan that the query names. */
export const showPricePlanForm = (
  { session, query }: StaffRequest,
  state: FormState = formWith(query),
  status = 200,
  preview: PricePreview | null = null,
): Answer => {
  if (!mayDo(session, 'finance')) return { kind: 'error', code: 'insufficient_scope' }
  const { entered, errors } = state
  const plan = entered.get('plan') ?? ''
  const field = (name: string, label: string, hint?: string) =>
    textField({
      name,
      label,
      ...(hint !== undefined && { hint }),
      value: entered.get(name) ?? '',
      error: errors[name],
    })
  const title = plan === '' ? 'New price plan' : 'New version of a price plan'
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf(title, state),
      main: html`<h1>${title}</h1>
        <p>A version is never changed. Orders keep the version under which they were created.</p>
        ${formFaults(state)} ${preview !== null && previewTables(preview)}
        ${consoleForm(
          session,
          PRICE_PLANS_PATH,
          html`<input type="hidden" name="plan" value="${plan}" />
            ${textField({
              name: 'name',
              label: 'Name',
              value: entered.get('name') ?? '',
              error: errors['name'],
              isRequired: true,
            })}
            ${textArea({
              name: 'rules',
              label: 'Rules',
              hint: `One a line: ${RULE_FORM}. “any” means every kind or currency; the most specific rule applies.`,
              value: entered.get('rules') ?? '',
              error: errors['rules'],
            })}
            ${field('dispute_fee_cents', 'Dispute fee', HINTS.cents)}
            ${field('payout_fee_cents', 'Payout fee', HINTS.cents)}
            ${field('partner_fee_max_percent', 'Maximum of a partner’s own fee', HINTS.percent)}
            ${checkbox({
              name: 'use_kyb_choices',
              label: 'The merchant’s verification data decides who pays the service fee, and the settlement',
              isChecked: entered.get('use_kyb_choices') === 'true',
            })}
            ${selectField({
              name: 'settlement',
              label: 'Settlement of crypto orders',
              hint: 'Converted at the order’s locked rate when a deposit pays the order. The platform bears what the rate does afterwards.',
              value: entered.get('settlement') ?? 'asset',
              error: errors['settlement'],
              options: SETTLEMENTS,
            })}
            ${timeField({
              name: 'effective_at',
              label: 'In force from',
              hint: HINTS.from,
              value: entered.get('effective_at') ?? '',
              error: errors['effective_at'],
            })}
            <p class="actions">${submit('Save')}</p>
            <h2>Preview</h2>
            ${field('customer_id', 'Merchant', `Id of a merchant (cus_…). The preview saves nothing: it shows what these terms would have cost over the last ${PREVIEW_DAYS} days.`)}
            <p class="actions">
              <button class="quiet" type="submit" formaction="${PREVIEW_PRICES_PATH}" formnovalidate>
                Preview
              </button>
              ${findMerchantButton('price-preview', 'Find the merchant by name…')}
            </p>`,
        )}`,
    }),
    status,
  )
}

const numberOf = (form: URLSearchParams, name: string): number | undefined => {
  const entered = (form.get(name) ?? '').trim()
  return entered === '' ? undefined : Number(entered)
}

/** Reads the terms that decide fees. @returns the form with its error where a rule cannot be read */
const readTerms = (request: StaffRequest) => {
  const { form } = request
  const rules = readRules(form.get('rules') ?? '')
  if ('badLine' in rules) {
    const errors = { rules: `Line ${rules.badLine}: enter ${RULE_FORM}.` }
    return { refused: showPricePlanForm(request, { ...formWith(form), errors }, 400) }
  }
  return {
    terms: {
      rules: [...rules],
      dispute_fee_cents: numberOf(form, 'dispute_fee_cents'),
      use_kyb_choices: form.get('use_kyb_choices') === 'true',
    },
  }
}

/** Shows the form with what its terms would have cost a merchant. */
export const previewPrices = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form, session } = request
  if (!mayDo(session, 'finance')) return { kind: 'error', code: 'insufficient_scope' }
  const { terms, refused } = readTerms(request)
  if (refused) return refused
  const customerId = (form.get('customer_id') ?? '').trim()
  const reply = await ask(pricePreviews.create, { params: { customerId }, body: terms })
  if (reply.ok) return showPricePlanForm(request, formWith(form), 200, reply.value.preview)
  if (reply.code === 'resource_not_found') {
    const errors = { customer_id: 'No merchant has this id. Check the id.' }
    return showPricePlanForm(request, { ...formWith(form), errors }, 404)
  }
  return answerRefusedForm(reply, form, (state, status) => {
    const { customerId: ofMerchant, ...others } = state.errors
    const errors = ofMerchant === undefined ? others : { ...others, customer_id: ofMerchant }
    return showPricePlanForm(request, { ...state, errors }, status)
  })
}

/** Creates a plan or a version, then shows the plans. */
export const createPricePlan = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const { terms, refused } = readTerms(request)
  if (refused) return refused
  const [plan, effectiveAt] = [(form.get('plan') ?? '').trim(), (form.get('effective_at') ?? '').trim()]
  const reply = await ask(pricePlans.create, {
    body: {
      name: (form.get('name') ?? '').trim(),
      ...terms,
      payout_fee_cents: numberOf(form, 'payout_fee_cents'),
      partner_fee_max_percent: numberOf(form, 'partner_fee_max_percent'),
      settlement: form.get('settlement') === 'order_currency' ? 'order_currency' : 'asset',
      ...(plan !== '' && { price_plan_id: plan }),
      ...(effectiveAt !== '' && { effective_at: utcTimeOr(effectiveAt) }),
    },
  })
  if (reply.ok) return redirectTo(PRICE_PLANS_PATH)
  return answerRefusedForm(reply, form, (state, status) => showPricePlanForm(request, state, status))
}
