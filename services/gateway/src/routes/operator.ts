import {
  agreements,
  apiKeys,
  audit,
  capabilities,
  chargebackCases,
  chargebacks,
  clientKeys,
  clients,
  customers,
  deliveries,
  destinations,
  documents,
  events,
  fiatOrders,
  integrations,
  integrationUrls,
  latePayments,
  nextSteps,
  cryptoOrders,
  orders,
  parkedEvents,
  partners,
  payers,
  payouts,
  pendingActions,
  personalData,
  portalLinks,
  reconciliation,
  refunds,
  relationships,
  requirements,
  reviews,
  sessions,
  staffKeys,
  unattributedMoney,
} from '@causeway/contracts'
import { staffRoutes } from '../http/route.ts'

const viewer = staffRoutes('viewer')
const reviewer = staffRoutes('reviewer')
const finance = staffRoutes('finance')
const admin = staffRoutes('admin')
const ofPartner = true
const ofMerchant = true
/** Of a partner's own: its people may call it in the portal. */
const inPortal = { ofPartner: true, portal: true } as const

/** Operations of staff, each by the role that its key needs (decisions §14). */
export const operatorRoutes = [
  admin.post('/partners', partners.create, { status: 201 }),
  viewer.get('/partners', partners.list),
  viewer.get('/partners/:partnerId', partners.get),
  admin.patch('/partners/:partnerId', partners.update),
  admin.post('/partners/:partnerId/clients', clients.create, { status: 201 }),
  admin.post('/clients/:clientId/secret', clients.rotateSecret, { status: 201 }),
  admin.patch('/clients/:clientId', clients.update),
  viewer.get('/clients/:clientId/keys', clientKeys.get),
  admin.put('/clients/:clientId/keys', clientKeys.replace),

  admin.post('/partners/:partnerId/webhooks', destinations.create, {
    ...inPortal,
    status: 201,
  }),
  viewer.get('/partners/:partnerId/webhooks', destinations.list, inPortal),
  admin.patch('/partners/:partnerId/webhooks/:webhookId', destinations.update, inPortal),
  admin.del('/partners/:partnerId/webhooks/:webhookId', destinations.delete, inPortal),
  admin.post('/partners/:partnerId/webhooks/:webhookId/secret', destinations.rotateSecret, {
    ...inPortal,
    status: 201,
  }),

  admin.post('/partners/:partnerId/webhooks/:webhookId/test', destinations.test, inPortal),

  admin.post('/partners/:partnerId/portal-links', portalLinks.createOfPartner, { status: 201, ofPartner }),
  admin.post('/merchants/:customerId/portal-links', portalLinks.createOfMerchant, {
    status: 201,
    ofMerchant,
  }),

  finance.put('/integrations/:integrationId/processor', integrations.updateProcessor),
  finance.post('/chargebacks/import', chargebacks.importFile, { csv: true }),
  viewer.get('/reconciliation', reconciliation.get),
  finance.post('/reconciliation/differences/:differenceId/close', reconciliation.close),
  viewer.get('/late-payments', latePayments.list),
  viewer.get('/unattributed-money', unattributedMoney.list),
  viewer.get('/unattributed-money/:unattributedMoneyId', unattributedMoney.get),
  finance.post('/unattributed-money/:unattributedMoneyId/apply', unattributedMoney.apply),
  finance.post('/unattributed-money/:unattributedMoneyId/keep', unattributedMoney.keep),
  finance.post('/unattributed-money/:unattributedMoneyId/handled', unattributedMoney.handled),
  viewer.get('/unattributed-money/:unattributedMoneyId/refund-plan', unattributedMoney.getRefundPlan),
  finance.post('/unattributed-money/:unattributedMoneyId/refund', unattributedMoney.refund, {
    approvesRefund: true,
  }),
  viewer.post('/orders/search', orders.search),
  viewer.get('/orders/:orderId', cryptoOrders.getByStaff),
  viewer.get('/fiat-orders/:orderKey', fiatOrders.getByStaff),
  viewer.get('/partners/:partnerId/fiat-orders/:orderKey/refunds', refunds.listByStaff),
  viewer.get('/partners/:partnerId/fiat-orders/:orderKey/chargebacks', chargebacks.listByStaff),
  viewer.get('/refunds', refunds.listPending),
  viewer.get('/refunds/:refundId', refunds.getByStaff),
  viewer.get('/chargeback-cases', chargebackCases.listByStaff),
  viewer.get('/deliveries', deliveries.listDead),
  viewer.get('/events/:eventId', events.listOwners),
  viewer.get('/parked-events', parkedEvents.list),
  viewer.get('/parked-events/:consumer/:eventId', parkedEvents.get),
  admin.post('/parked-events/:consumer/:eventId/retry', parkedEvents.retry),
  admin.post('/parked-events/:consumer/:eventId/set-aside', parkedEvents.setAside),
  viewer.get('/payouts', payouts.list),
  finance.post('/orders/:orderId/refund', cryptoOrders.refund, { approvesRefund: true }),
  viewer.get('/orders/:orderId/refund', cryptoOrders.getRefund),
  viewer.get('/orders/:orderId/refund-plan', cryptoOrders.getRefundPlan),
  finance.post('/payouts', payouts.announce, { status: 201 }),
  finance.post('/payouts/:payoutId/sent', payouts.markSent),
  admin.put('/integrations/:integrationId/merchant-webhook-url', integrationUrls.update),

  admin.get('/sessions', sessions.list),
  admin.del('/sessions/:sessionId', sessions.end, { status: 204 }),
  admin.post('/sessions/end', sessions.endAll),

  admin.post('/merchants/:customerId/api-keys', apiKeys.create, { status: 201, ofMerchant }),
  viewer.get('/merchants/:customerId/api-keys', apiKeys.list, { ofMerchant }),
  admin.del('/merchants/:customerId/api-keys/:keyId', apiKeys.revoke),

  reviewer.put('/customers/:partnerCustomerId/capabilities/:capability', capabilities.grant),
  reviewer.put('/merchants/:customerId/suspension', capabilities.suspend),
  reviewer.post('/customers/:partnerCustomerId/revoke', relationships.revoke),
  reviewer.post('/customers/:partnerCustomerId/reinstate', relationships.reinstate),
  reviewer.post('/customers/:partnerCustomerId/confirm-link', relationships.confirmLink),
  viewer.post('/customers/search', customers.search),
  viewer.get('/customers/:partnerCustomerId', relationships.getByStaff),
  viewer.get('/customers/:partnerCustomerId/next-steps', nextSteps.listByStaff),
  admin.get('/customers/:partnerCustomerId/personal-data', personalData.export),
  admin.post('/customers/:partnerCustomerId/erase', personalData.erase),
  admin.post('/payers/export', payers.export),
  admin.post('/payers/erase', payers.erase),

  viewer.get('/verifications', reviews.list),
  viewer.get('/verifications/:verificationId', reviews.get),
  reviewer.post('/verifications/:verificationId/approve', reviews.approve),
  reviewer.post('/verifications/:verificationId/reject', reviews.reject),
  viewer.get('/customers/:partnerCustomerId/documents', documents.listByStaff),
  viewer.get('/merchants/:customerId/requirements', requirements.listByStaff),
  reviewer.post('/merchants/:customerId/requirements', requirements.raiseByStaff, { status: 201 }),
  reviewer.patch('/requirements/:requirementId', requirements.updateByStaff),

  reviewer.post('/agreements', agreements.publish, { status: 201 }),
  viewer.get('/agreements', agreements.listByStaff),
  reviewer.post('/agreements/:agreementId/retire', agreements.retire),
  reviewer.post('/documents/:documentId/review', documents.review),
  viewer.get('/documents/:documentId/download', documents.createDownloadByStaff),

  admin.post('/staff-keys', staffKeys.create, { status: 201 }),
  admin.get('/staff-keys', staffKeys.list),
  admin.del('/staff-keys/:staffKeyId', staffKeys.revoke, { status: 204 }),

  viewer.get('/pending-actions', pendingActions.list),
  viewer.get('/pending-actions/:pendingActionId', pendingActions.get),
  // The role that each needs is that of the action, and is checked by the operation.
  viewer.post('/pending-actions/:pendingActionId/confirm', pendingActions.confirm),
  viewer.post('/pending-actions/:pendingActionId/decline', pendingActions.decline),
  viewer.post('/pending-actions/:pendingActionId/result', pendingActions.takeResult),

  viewer.get('/audit', audit.list),
]
