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
  [/\/reject$/, () => ({ rejection_reason: 'other' })],
  [/\/documents\/:documentId\/review$/, ({ ids }) => ({ case: ids.verification, status: 'rejected' })],
  [
    /\/dead-deliveries\/:deliveryId\/resend$/,
    ({ partnerId, ids }) => ({ partner_id: partnerId, webhook_id: ids.partnerWebhook }),
  ],
  [/\/status$/, () => ({ status: 'disabled' })],
  [/\/keys$/, () => ({ jwks: '{"keys":[]}' })],
  [/\/agreements\/:agreementId$/, () => ({ accepted: 'true', agreement_version: '1.0' })],
  [/\/console\/merchants$/, ({ ids }) => ({ customer_id: ids.merchant })],
  [/\/people$/, () => ({ name: 'Nobody', role: 'admin' })],
  [/\/payers\/(export|erase)$/, () => ({ email: 'payer@example.com' })],
  [
    /\/payouts$/,
    ({ ids }) => ({
      customer_id: ids.merchant,
      amount_cents: '100',
      currency: 'EUR',
      scheduled_for: '2030-01-01T00:00:00Z',
    }),
  ],
  [/\/checkouts\/processor$/, ({ ids }) => ({ integration_id: ids.integration, processor: 'processor' })],
  [
    /\/checkouts\/webhook$/,
    ({ ids, receiverUrl }) => ({ integration_id: ids.integration, url: receiverUrl }),
  ],
]

/** The fields of a screen's form, as somebody fills them in who knows a tenant's ids. */
export const formOf = ({ path }: ListedScreen, tenant: Tenant): Fields =>
  FIELDS.find(([end]) => end.test(path))?.[1](tenant) ?? {}
