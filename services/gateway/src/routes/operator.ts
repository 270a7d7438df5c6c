import {
  agreements,
  apiKeys,
  audit,
  capabilities,
  chargebacks,
  clients,
  destinations,
  documents,
  integrations,
  integrationUrls,
  latePayments,
  orders,
  partners,
  payouts,
  reconciliation,
  relationships,
  requirements,
  reviews,
} from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post, put, patch, del } = routesUnder('/api/operator')
const ofPartner = true
const ofMerchant = true

/** What staff do (decisions §14). */
export const operatorRoutes = [
  post('/partners', partners.create, { status: 201 }),
  get('/partners', partners.list),
  get('/partners/:partnerId', partners.read),
  patch('/partners/:partnerId', partners.update),
  post('/partners/:partnerId/clients', clients.create, { status: 201 }),
  post('/clients/:clientId/secret', clients.rotateSecret, { status: 201 }),
  patch('/clients/:clientId', clients.update),

  post('/partners/:partnerId/webhooks', destinations.create, { status: 201, ofPartner }),
  get('/partners/:partnerId/webhooks', destinations.list, { ofPartner }),
  patch('/partners/:partnerId/webhooks/:webhookId', destinations.update, { ofPartner }),
  del('/partners/:partnerId/webhooks/:webhookId', destinations.remove, { ofPartner }),
  post('/partners/:partnerId/webhooks/:webhookId/secret', destinations.rotateSecret, {
    status: 201,
    ofPartner,
  }),

  put('/integrations/:integrationId/processor', integrations.setProcessor),
  post('/chargebacks/import', chargebacks.importFile, { csv: true }),
  get('/reconciliation', reconciliation.read),
  post('/reconciliation/differences/:differenceId/close', reconciliation.close),
  get('/late-payments', latePayments.list),
  post('/orders/:orderId/refund', orders.refund),
  post('/payouts', payouts.announce, { status: 201 }),
  post('/payouts/:payoutId/sent', payouts.markSent),
  put('/integrations/:integrationId/merchant-webhook-url', integrationUrls.set),

  post('/merchants/:customerId/api-keys', apiKeys.create, { status: 201, ofMerchant }),
  get('/merchants/:customerId/api-keys', apiKeys.list, { ofMerchant }),
  del('/merchants/:customerId/api-keys/:keyId', apiKeys.revoke),

  put('/customers/:partnerCustomerId/capabilities/:capability', capabilities.grant),
  put('/merchants/:customerId/suspension', capabilities.suspend),
  post('/customers/:partnerCustomerId/revoke', relationships.revoke),
  post('/customers/:partnerCustomerId/reinstate', relationships.reinstate),

  get('/verifications', reviews.list),
  get('/verifications/:verificationId', reviews.read),
  post('/verifications/:verificationId/approve', reviews.approve),
  post('/verifications/:verificationId/reject', reviews.reject),
  post('/merchants/:customerId/requirements', requirements.raiseByStaff, { status: 201 }),
  patch('/requirements/:requirementId', requirements.changeByStaff),

  post('/agreements', agreements.publish, { status: 201 }),
  post('/documents/:documentId/review', documents.review),

  get('/audit', audit.list),
]
