import { z } from 'zod'
import { customerParams } from '../onboarding/customers.ts'
import { del, get, post, put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, text, Timestamp } from '../primitives.ts'
import { HttpsUrl } from '../web-address.ts'

/** A checkout configuration (spec: Fiat integration). */
export const Integration = z.object({
  integration_id: idOf('integration'),
  name: z.string(),
  psp: z.string(),
  return_url: z.string().nullable(),
  failure_url: z.string().nullable(),
  contact_url: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
export type Integration = z.infer<typeof Integration>

/** With the fields that only staff see. */
export const IntegrationForStaff = Integration.extend({
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  processor: z.string(),
})

/** Projection of an integration for other services: its owner, never its URLs. */
export const IntegrationState = z.object({
  integration_id: idOf('integration'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  deleted: z.boolean(),
})
export type IntegrationState = z.infer<typeof IntegrationState>

export const IntegrationList = z.object({ integrations: z.array(Integration), next_cursor: NextCursor })

/** `payments.integrations` (spec: Fiat integrations; decisions §10 and §14). */
export const integrations = resource('payments.integrations', {
  create: operation({
    operationId: 'createIntegration',
    http: post('/customers/:customerId/fiat-integrations', { scopes: ['payments:create'], status: 201 }),
    tag: 'Card orders',
    summary: 'Create a checkout configuration',
    description:
      'Use it for another checkout, such as a second shop with its own `return_url`. Each customer starts with one and can have 25.',
    params: customerParams,
    idempotent: true,
    body: z.strictObject({
      name: text(100),
      return_url: HttpsUrl,
      failure_url: HttpsUrl.nullable().optional(),
      contact_url: HttpsUrl.nullable().optional(),
    }),
    reply: z.object({ integration: Integration }),
    refusals: ['limit_reached', 'name_conflict', 'idempotency_key_reuse'],
  }),
  list: operation({
    operationId: 'listIntegrations',
    http: get('/customers/:customerId/fiat-integrations', { scopes: ['payments:read'] }),
    tag: 'Card orders',
    summary: 'List the checkout configurations',
    description: 'Use it to find the `integration_id` for a card order. An active customer has at least one.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: IntegrationList,
    refusals: ['invalid_cursor'],
  }),
  delete: operation({
    operationId: 'deleteIntegration',
    http: del('/customers/:customerId/fiat-integrations/:integrationId', { scopes: ['payments:create'] }),
    tag: 'Card orders',
    summary: 'Delete a checkout configuration, except the last one',
    description: 'Use it for a checkout that is no longer used. Its orders remain.',
    params: customerParams.extend({ integrationId: idOf('integration') }),
    reply: z.object({ deleted: z.literal(true), integration_id: idOf('integration') }),
    refusals: ['invalid_state'],
  }),
  updateProcessor: operation({
    operationId: 'updateIntegrationProcessor',
    http: put('/integrations/:integrationId/processor'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Choose the card processor of a checkout configuration',
    description: 'Use it to move a checkout to another processor. It applies to new orders.',
    caller: 'operator',
    params: z.object({ integrationId: idOf('integration') }),
    body: z.strictObject({ processor: text(64) }),
    reply: z.object({ integration: IntegrationForStaff }),
    refusals: ['invalid_request'],
  }),
  resolve: operation({
    summary: 'Get the owner of an integration, for the projections of other services',
    caller: 'service',
    services: ['webhooks'],
    body: z.strictObject({ integration_id: idOf('integration') }),
    reply: IntegrationState,
    refusals: ['resource_not_found'],
  }),
})
