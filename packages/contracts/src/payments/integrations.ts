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

/** `payments.integrations` (spec: Fiat integrations; decisions §10 and §14). */
export const integrations = resource('payments.integrations', {
  create: operation({
    summary: 'Create a checkout configuration',
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
    summary: 'List the checkout configurations',
    params: customerParams,
    query: z.object(pageParameters),
    reply: z.object({ integrations: z.array(Integration), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  delete: operation({
    summary: 'Delete a checkout configuration; the last one stays',
    params: customerParams.extend({ integrationId: idOf('integration') }),
    reply: z.object({ deleted: z.literal(true), integration_id: idOf('integration') }),
    refusals: ['invalid_state'],
  }),
  updateProcessor: operation({
    summary: 'Choose the card processor of a checkout configuration',
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
