import { z } from 'zod'
import { Capability } from './capabilities.ts'
import { Customer, CustomerOfPartner, RelationshipStatus } from './customers.ts'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'
import { sharedState } from './verifications.ts'

/**
 * Projection of a relationship for other services: identifiers, status and capabilities, never personal data.
 * `version` grows with every change; a copy with a lower version is stale.
 */
export const RelationshipState = z.object({
  partner_customer_id: idOf('relationship'),
  partner_id: idOf('partner'),
  customer_id: idOf('merchant'),
  status: RelationshipStatus,
  capabilities: z.array(Capability),
  version: z.number().int(),
})
export type RelationshipState = z.infer<typeof RelationshipState>

/** A customer with what it may use and how its merchant's case stands, as staff see it. */
export const CustomerFile = CustomerOfPartner.extend({
  /** False while the link waits for a confirmation (decisions §18). */
  link_confirmed: z.boolean(),
  capabilities: z.array(Capability),
  /** Suspended for the merchant, at every partner. */
  suspended_capabilities: z.array(CapabilityName),
  /** The merchant's case; null before its first write. */
  verification: z.object(sharedState).nullable(),
})
export type CustomerFile = z.infer<typeof CustomerFile>

/** `onboarding.relationships`: the source of projections, and staff actions (decisions §14). */
export const relationships = resource('onboarding.relationships', {
  getState: operation({
    summary: 'Read the state that another service projects',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({ partner_id: idOf('partner'), partner_customer_id: idOf('relationship') }),
    reply: RelationshipState,
    refusals: ['resource_not_found'],
  }),
  getName: operation({
    summary: 'Read the name of the customer by its own data: payers see it at checkout',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({ partner_id: idOf('partner'), partner_customer_id: idOf('relationship') }),
    reply: z.object({ name: z.string().nullable() }),
    refusals: ['resource_not_found'],
  }),
  getByStaff: operation({
    operationId: 'getRelationship',
    summary: 'Read a customer of any partner, whatever its status, with its capabilities and its case',
    description: 'Use it to see how one customer stands before you act on it.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: CustomerFile }),
    refusals: ['resource_not_found'],
  }),
  revoke: operation({
    operationId: 'revokeRelationship',
    summary: 'Revoke a relationship: its partner no longer sees the customer',
    description:
      'Use it when a partner no longer serves the customer: from then on it sees neither the customer nor its events.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  confirmLink: operation({
    operationId: 'confirmRelationshipLink',
    summary: 'Confirm that a customer is the merchant that another partner had linked before',
    description:
      'Use it when a second partner has linked a merchant that another one had brought: until it is confirmed, capabilities wait with the reason `link_unconfirmed`.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  reinstate: operation({
    operationId: 'reinstateRelationship',
    summary: 'Reinstate a revoked relationship',
    description: 'Use it to undo a revocation.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
