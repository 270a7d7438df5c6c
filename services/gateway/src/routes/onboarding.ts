import {
  agreements,
  capabilities,
  customers,
  documents,
  nextSteps,
  onboardingLinks,
  requirements,
  verifications,
} from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post, patch, del } = routesUnder('/api/v1/partner')

/** Customers and their onboarding (spec: Endpoints). */
export const onboardingRoutes = [
  post('/customers', customers.create, {
    scopes: ['customers:write'],
    status: { created: 201, existing: 200 },
  }),
  get('/customers', customers.list, { scopes: ['customers:read'] }),
  get('/customers/:customerId', customers.get, { scopes: ['customers:read'] }),
  get('/customers/:customerId/capabilities', capabilities.list, { scopes: ['customers:read'] }),
  get('/customers/:customerId/next-steps', nextSteps.list, { scopes: ['customers:read'] }),

  post('/customers/:customerId/verifications', verifications.submit, { scopes: ['kyb:write'] }),
  get('/customers/:customerId/verifications', verifications.getByCustomer, { scopes: ['kyb:read'] }),
  get('/verifications/:verificationId', verifications.get, { scopes: ['kyb:read'] }),
  get('/onboarding/schema', verifications.getSchema, { scopes: ['kyb:read'] }),

  post('/customers/:customerId/onboarding-links', onboardingLinks.create, {
    scopes: ['kyb:write'],
    status: 201,
  }),
  del('/customers/:customerId/onboarding-links/:onboardingLinkId', onboardingLinks.end, {
    scopes: ['kyb:write'],
    status: 204,
  }),

  get('/customers/:customerId/agreements', agreements.list, { scopes: ['agreements:read'] }),
  post('/customers/:customerId/agreements/:agreementId/acceptances', agreements.accept, {
    scopes: ['agreements:accept'],
    status: { created: 201, existing: 200 },
  }),

  get('/customers/:customerId/documents', documents.list, { scopes: ['documents:read'] }),
  post('/customers/:customerId/documents', documents.create, {
    scopes: ['documents:write'],
    status: 201,
    upload: true,
  }),
  get('/documents/:documentId/download', documents.createDownload, {
    scopes: ['documents:read', 'kyb:read'],
  }),

  get('/customers/:customerId/requirements', requirements.list, { scopes: ['kyb:read'] }),
  post('/customers/:customerId/requirements', requirements.raise, { scopes: ['kyb:write'], status: 201 }),
  get('/customers/:customerId/requirements/:requirementId', requirements.get, { scopes: ['kyb:read'] }),
  patch('/customers/:customerId/requirements/:requirementId', requirements.update, { scopes: ['kyb:write'] }),
]
