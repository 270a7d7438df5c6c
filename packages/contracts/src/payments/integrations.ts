import { z } from 'zod'
import { customerParams } from '../onboarding/customers.ts'
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
    summary: 'Create a checkout configuration',
    description:
      'Use it for a further checkout, such as another shop with its own `return_url`: every customer has one from its sign-up and may have 25.',
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
    summary: 'List the checkout configurations',
    description:
      'Use it to find the `integration_id` that a card order needs. It is never empty for a live customer.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: IntegrationList,
    refusals: ['invalid_cursor'],
  }),
  delete: operation({
    operationId: 'deleteIntegration',
    summary: 'Delete a checkout configuration; the last one stays',
    description: 'Use it for a checkout that is no longer used; its orders stay.',
    params: customerParams.extend({ integrationId: idOf('integration') }),
    reply: z.object({ deleted: z.literal(true), integration_id: idOf('integration') }),
    refusals: ['invalid_state'],
  }),
  updateProcessor: operation({
    operationId: 'updateIntegrationProcessor',
    summary: 'Choose the card processor of a checkout configuration',
    description: 'Use it to move a checkout to another card processor: it counts for new orders.',
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
