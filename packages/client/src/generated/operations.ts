/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
import type { OperationRow } from '../operation-row.ts'

/** What a partner may call, with its token. */
export const PARTNER_OPERATIONS = {
  createCustomer: ['POST', '/api/v1/partner/customers', { repeatable: true }],
  listCustomers: ['GET', '/api/v1/partner/customers', { cursor: 'cursor', items: 'customers' }],
  getCustomer: ['GET', '/api/v1/partner/customers/{customerId}'],
  listCapabilities: ['GET', '/api/v1/partner/customers/{customerId}/capabilities'],
  submitVerification: ['POST', '/api/v1/partner/customers/{customerId}/verifications'],
  getCustomerVerification: ['GET', '/api/v1/partner/customers/{customerId}/verifications'],
  getVerification: ['GET', '/api/v1/partner/verifications/{verificationId}'],
  getVerificationSchema: ['GET', '/api/v1/partner/onboarding/schema'],
  listAgreements: [
    'GET',
    '/api/v1/partner/customers/{customerId}/agreements',
    { cursor: 'cursor', items: 'agreements' },
  ],
  acceptAgreement: [
    'POST',
    '/api/v1/partner/customers/{customerId}/agreements/{agreementId}/acceptances',
    { repeatable: true },
  ],
  listDocuments: [
    'GET',
    '/api/v1/partner/customers/{customerId}/documents',
    { cursor: 'cursor', items: 'documents' },
  ],
  uploadDocument: ['POST', '/api/v1/partner/customers/{customerId}/documents', { upload: true }],
  getDocumentDownload: ['GET', '/api/v1/partner/documents/{documentId}/download'],
  listRequirements: [
    'GET',
    '/api/v1/partner/customers/{customerId}/requirements',
    { cursor: 'cursor', items: 'requirements' },
  ],
  raiseRequirement: ['POST', '/api/v1/partner/customers/{customerId}/requirements'],
  getRequirement: ['GET', '/api/v1/partner/customers/{customerId}/requirements/{requirementId}'],
  updateRequirement: ['PATCH', '/api/v1/partner/customers/{customerId}/requirements/{requirementId}'],
  createCryptoOrder: ['POST', '/api/v1/partner/customers/{customerId}/orders', { repeatable: true }],
  listCryptoOrders: [
    'GET',
    '/api/v1/partner/customers/{customerId}/orders',
    { cursor: 'before', items: 'orders' },
  ],
  getCryptoOrder: ['GET', '/api/v1/partner/orders/{orderId}'],
  cancelCryptoOrder: ['POST', '/api/v1/partner/orders/{orderId}/cancel'],
  createIntegration: ['POST', '/api/v1/partner/customers/{customerId}/fiat-integrations', { keyed: true }],
  listIntegrations: [
    'GET',
    '/api/v1/partner/customers/{customerId}/fiat-integrations',
    { cursor: 'cursor', items: 'integrations' },
  ],
  deleteIntegration: ['DELETE', '/api/v1/partner/customers/{customerId}/fiat-integrations/{integrationId}'],
  createFiatOrder: ['POST', '/api/v1/partner/customers/{customerId}/fiat-orders', { keyed: true }],
  listFiatOrders: [
    'GET',
    '/api/v1/partner/customers/{customerId}/fiat-orders',
    { cursor: 'before', items: 'orders' },
  ],
  getFiatOrder: ['GET', '/api/v1/partner/fiat-orders/{orderKey}'],
  listChargebacks: ['GET', '/api/v1/partner/customers/{customerId}/chargebacks'],
  listFiatOrderChargebacks: ['GET', '/api/v1/partner/fiat-orders/{orderKey}/chargebacks'],
  listChargebackCases: [
    'GET',
    '/api/v1/partner/customers/{customerId}/chargeback-cases',
    { cursor: 'cursor', items: 'chargeback_cases' },
  ],
  liftChargebackCase: ['POST', '/api/v1/partner/customers/{customerId}/chargeback-cases/{caseId}/lift'],
  createRefund: ['POST', '/api/v1/partner/fiat-orders/{orderKey}/refunds', { keyed: true }],
  listRefunds: [
    'GET',
    '/api/v1/partner/fiat-orders/{orderKey}/refunds',
    { cursor: 'cursor', items: 'refunds' },
  ],
  createOnrampOrder: ['POST', '/api/v1/partner/orders/{orderId}/onramp', { repeatable: true }],
  getOnrampOrder: ['GET', '/api/v1/partner/orders/{orderId}/onramp'],
  listWebhookSubscriptions: ['GET', '/api/v1/partner/webhooks', { cursor: 'cursor', items: 'webhooks' }],
} as const satisfies Record<string, OperationRow>

/** What a merchant may call, with its key. */
export const MERCHANT_OPERATIONS = {
  listApiKeys: ['GET', '/api/user/api-keys'],
  revokeApiKey: ['DELETE', '/api/user/api-keys/{keyId}'],
  listWebhooks: ['GET', '/api/user/webhooks', { cursor: 'cursor', items: 'webhooks' }],
  createWebhook: ['POST', '/api/user/webhooks'],
  updateWebhook: ['PUT', '/api/user/webhooks/{webhookId}'],
  deleteWebhook: ['DELETE', '/api/user/webhooks/{webhookId}'],
  rotateWebhookSecret: ['POST', '/api/user/webhooks/{webhookId}/secret'],
  testWebhook: ['POST', '/api/user/webhooks/{webhookId}/test'],
  listDeliveries: [
    'GET',
    '/api/user/webhooks/{webhookId}/deliveries',
    { cursor: 'cursor', items: 'deliveries' },
  ],
  redeliverDelivery: ['POST', '/api/user/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver'],
  listEvents: ['GET', '/api/user/webhook-events', { cursor: 'cursor', items: 'events' }],
  getEvent: ['GET', '/api/user/webhook-events/{eventId}'],
  listWebhookEvents: ['GET', '/api/user/webhooks/{webhookId}/events', { cursor: 'cursor', items: 'events' }],
  resendEvent: ['POST', '/api/user/webhooks/{webhookId}/events/{eventId}/resend'],
  createRedelivery: ['POST', '/api/user/webhooks/{webhookId}/redeliveries'],
  listRedeliveries: ['GET', '/api/user/webhooks/{webhookId}/redeliveries'],
  getRedelivery: ['GET', '/api/user/webhooks/{webhookId}/redeliveries/{redeliveryId}'],
  cancelRedelivery: ['DELETE', '/api/user/webhooks/{webhookId}/redeliveries/{redeliveryId}'],
} as const satisfies Record<string, OperationRow>
