/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
import type { OperationRow } from '../operation-row.ts'

/** Prefixes of the paths in each table. */
export const PARTNER_PREFIX = '/api/v1/partner'
export const MERCHANT_PREFIX = '/api/user'

/** Operations that a partner may call, with its token. */
export const PARTNER_OPERATIONS = {
  createCustomer: ['POST', '/customers', { repeatable: true }],
  listCustomers: ['GET', '/customers', { items: 'customers' }],
  getCustomer: ['GET', '/customers/{customerId}'],
  listCapabilities: ['GET', '/customers/{customerId}/capabilities'],
  listNextSteps: ['GET', '/customers/{customerId}/next-steps'],
  submitVerification: ['POST', '/customers/{customerId}/verifications'],
  getCustomerVerification: ['GET', '/customers/{customerId}/verifications'],
  getVerification: ['GET', '/verifications/{verificationId}'],
  getVerificationSchema: ['GET', '/onboarding/schema'],
  createOnboardingLink: ['POST', '/customers/{customerId}/onboarding-links'],
  endOnboardingLink: ['DELETE', '/customers/{customerId}/onboarding-links/{onboardingLinkId}'],
  listAgreements: ['GET', '/customers/{customerId}/agreements', { items: 'agreements' }],
  acceptAgreement: [
    'POST',
    '/customers/{customerId}/agreements/{agreementId}/acceptances',
    { repeatable: true },
  ],
  listDocuments: ['GET', '/customers/{customerId}/documents', { items: 'documents' }],
  uploadDocument: ['POST', '/customers/{customerId}/documents', { upload: true }],
  getDocumentDownload: ['GET', '/documents/{documentId}/download'],
  listRequirements: ['GET', '/customers/{customerId}/requirements', { items: 'requirements' }],
  raiseRequirement: ['POST', '/customers/{customerId}/requirements'],
  getRequirement: ['GET', '/customers/{customerId}/requirements/{requirementId}'],
  updateRequirement: ['PATCH', '/customers/{customerId}/requirements/{requirementId}'],
  createCryptoOrder: ['POST', '/customers/{customerId}/orders', { repeatable: true }],
  listCryptoOrders: ['GET', '/customers/{customerId}/orders', { items: 'orders', cursor: 'before' }],
  getCryptoOrder: ['GET', '/orders/{orderId}'],
  cancelCryptoOrder: ['POST', '/orders/{orderId}/cancel'],
  createIntegration: ['POST', '/customers/{customerId}/fiat-integrations', { keyed: true }],
  listIntegrations: ['GET', '/customers/{customerId}/fiat-integrations', { items: 'integrations' }],
  deleteIntegration: ['DELETE', '/customers/{customerId}/fiat-integrations/{integrationId}'],
  createFiatOrder: ['POST', '/customers/{customerId}/fiat-orders', { keyed: true }],
  listFiatOrders: ['GET', '/customers/{customerId}/fiat-orders', { items: 'orders', cursor: 'before' }],
  getFiatOrder: ['GET', '/fiat-orders/{orderKey}'],
  listChargebacks: ['GET', '/customers/{customerId}/chargebacks'],
  listFiatOrderChargebacks: ['GET', '/fiat-orders/{orderKey}/chargebacks'],
  listChargebackCases: ['GET', '/customers/{customerId}/chargeback-cases', { items: 'chargeback_cases' }],
  liftChargebackCase: ['POST', '/customers/{customerId}/chargeback-cases/{caseId}/lift'],
  createRefund: ['POST', '/fiat-orders/{orderKey}/refunds', { keyed: true }],
  listRefunds: ['GET', '/fiat-orders/{orderKey}/refunds', { items: 'refunds' }],
  createOnrampOrder: ['POST', '/orders/{orderId}/onramp', { repeatable: true }],
  getOnrampOrder: ['GET', '/orders/{orderId}/onramp'],
  listWallets: ['GET', '/customers/{customerId}/wallets'],
  listOwnWallets: ['GET', '/balance'],
  listWebhookSubscriptions: ['GET', '/webhooks', { items: 'webhooks' }],
} as const satisfies Record<string, OperationRow>

/** Operations that a merchant may call, with its key. */
export const MERCHANT_OPERATIONS = {
  listBalances: ['GET', '/balances'],
  listApiKeys: ['GET', '/api-keys'],
  revokeApiKey: ['DELETE', '/api-keys/{keyId}'],
  createPortalLink: ['POST', '/portal-links'],
  listWebhooks: ['GET', '/webhooks', { items: 'webhooks' }],
  createWebhook: ['POST', '/webhooks'],
  updateWebhook: ['PUT', '/webhooks/{webhookId}'],
  deleteWebhook: ['DELETE', '/webhooks/{webhookId}'],
  rotateWebhookSecret: ['POST', '/webhooks/{webhookId}/secret'],
  testWebhook: ['POST', '/webhooks/{webhookId}/test'],
  listDeliveries: ['GET', '/webhooks/{webhookId}/deliveries', { items: 'deliveries' }],
  redeliverDelivery: ['POST', '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver'],
  listEvents: ['GET', '/webhook-events', { items: 'events' }],
  getEvent: ['GET', '/webhook-events/{eventId}'],
  listWebhookEvents: ['GET', '/webhooks/{webhookId}/events', { items: 'events' }],
  resendEvent: ['POST', '/webhooks/{webhookId}/events/{eventId}/resend'],
  createRedelivery: ['POST', '/webhooks/{webhookId}/redeliveries'],
  listRedeliveries: ['GET', '/webhooks/{webhookId}/redeliveries'],
  getRedelivery: ['GET', '/webhooks/{webhookId}/redeliveries/{redeliveryId}'],
  cancelRedelivery: ['DELETE', '/webhooks/{webhookId}/redeliveries/{redeliveryId}'],
} as const satisfies Record<string, OperationRow>
