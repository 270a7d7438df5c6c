import { randomUUID } from 'node:crypto'
import type { Tenant } from '../../contract/tenant.ts'
import type { ListedScreen } from '../table.ts'

type Fields = Readonly<Record<string, string>>

/** Input of a person by the end of the form's path: enough to pass the page's own checks. */
const FIELDS: readonly (readonly [end: RegExp, fields: (tenant: Tenant) => Fields])[] = [
  [/\/redeliveries$/, () => ({ since: '2026-01-01T00:00:00Z' })],
  [/\/(new|edit)$/, ({ receiverUrl }) => ({ url: receiverUrl })],
  [/\/secret$/, () => ({ overlap: 'now' })],
  [/\/cases\/:verificationId\/requirements$/, () => ({ kind: 'clarification', message: 'Which goods?' })],
  [/\/cases\/:verificationId\/requirements\/:requirementId$/, () => ({ status: 'cancelled' })],
  [/\/payouts\/:payoutId\/returned$/, () => ({ reason: 'Account closed' })],
  [/\/payouts\/:payoutId\/send$/, () => ({ unit: 'ETH/USDC', amount: '1', address: '0x1' })],
  [/\/reject$/, () => ({ rejection_reason: 'other' })],
  [/\/card-orders\/:orderKey\/refund$/, () => ({ amount: '1.00', key: randomUUID() })],
  [/\/documents\/:documentId\/review$/, ({ ids }) => ({ case: ids.verification, status: 'rejected' })],
  [
    /\/dead-deliveries\/:deliveryId\/resend$/,
    ({ partnerId, ids }) => ({ partner_id: partnerId, webhook_id: ids.partnerWebhook }),
  ],
  [/\/status$/, () => ({ status: 'disabled' })],
  [/\/keys$/, () => ({ jwks: '{"keys":[]}' })],
  [/\/agreements\/:agreementId$/, () => ({ accepted: 'true', agreement_version: '1.0' })],
  [/\/console\/merchants$/, ({ ids }) => ({ customer_id: ids.merchant })],
  [/\/find-merchant$/, () => ({ find: 'accounts' })],
  [/\/people$/, () => ({ name: 'Nobody', email: 'nobody@shop.example', role: 'viewer' })],
  [/\/payers\/(export|erase)$/, () => ({ email: 'payer@example.com' })],
  [
    /\/payouts$/,
    ({ ids }) => ({
      recipient: ids.merchant,
      amount: '1.00',
      currency: 'EUR',
      scheduled_for: '2100-01-01T00:00',
    }),
  ],
  [/\/payment-files$/, () => ({ unit: 'EUR' })],
  [
    /\/bank-statement$/,
    () => ({ statement: 'line_id,booked_at,amount_cents,currency,reference,counterparty' }),
  ],
  [/\/payout-wallets\/:payoutWalletId\/refuse$/, () => ({ reason: 'Not the customer’s own' })],
  [
    /\/books\/adjustments$/,
    ({ ids }) => ({ owner: ids.relationship, unit: 'EUR', amount: '1.00', reason: 'Correction' }),
  ],
  [/\/accounts\/:accountId\/write-off$/, () => ({ amount: '1.00', reason: 'Closed its shop' })],
  [/\/merchants\/:customerId\/reserve-plan$/, () => ({ share_percent: '10', days: '30' })],
  [/\/books\/price-plans$/, () => ({ name: 'Low', rules: 'card any any 1% 0 merchant' })],
  [/\/books\/price-plans\/preview$/, ({ ids }) => ({ customer_id: ids.merchant, rules: '' })],
  [/\/books\/price-plans\/assign$/, ({ ids }) => ({ owner: ids.merchant, price_plan_id: '' })],
  [/\/books\/differences\/:ledgerDifferenceId\/close$/, () => ({ reason: 'Examined', unit: 'EUR' })],
  [/\/checkouts\/processor$/, ({ ids }) => ({ integration_id: ids.integration, processor: 'processor' })],
  [
    /\/checkouts\/webhook$/,
    ({ ids, receiverUrl }) => ({ integration_id: ids.integration, url: receiverUrl }),
  ],
]

/** The fields of a screen's form, as somebody fills them in who knows a tenant's ids. */
export const formOf = ({ path }: ListedScreen, tenant: Tenant): Fields =>
  FIELDS.find(([end]) => end.test(path))?.[1](tenant) ?? {}
