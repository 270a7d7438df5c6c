import { z } from 'zod'
import { Capability } from './capabilities.ts'
import { Customer, CustomerOfPartner, RelationshipStatus } from './customers.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  CapabilityName,
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  TimestampInput,
} from '../primitives.ts'
import { FeeHandling, SettlementOption } from './kyb-fields.ts'
import { sharedState, VerificationStatus } from './verifications.ts'

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
  /** True once its personal data is erased; left out by versions that did not tell. */
  erased: z.boolean().optional(),
  /** Commercial choices as approved last; null before, and left out by versions that did not state them. */
  fee_handling: FeeHandling.nullable().optional(),
  settlement_option: SettlementOption.nullable().optional(),
  version: z.number().int(),
})
export type RelationshipState = z.infer<typeof RelationshipState>

/** A customer with its capabilities and the status of its merchant's case, as staff see it. */
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

/** A customer in the list of all partners' customers. */
export const ListedCustomer = CustomerOfPartner.extend({
  /** False while the link waits for a confirmation (decisions §18). */
  link_confirmed: z.boolean(),
  /** Status of the merchant's case; null before its first write. */
  verification_status: VerificationStatus.nullable(),
})
export type ListedCustomer = z.infer<typeof ListedCustomer>

/** Filters of the list of all partners' customers. */
const customerFilters = {
  partner_id: idOf('partner').optional().meta({ description: 'Only customers of this partner' }),
  relationship_status: RelationshipStatus.optional().meta({ description: 'Left out: any status' }),
  since: TimestampInput.optional().meta({ description: 'Earliest `created_at`, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest `created_at`, exclusive' }),
}

const ReinstatedState = z.object({ relationship_status: RelationshipStatus })

/** `onboarding.relationships`: the source of projections, and staff actions (decisions §14). */
export const relationships = resource('onboarding.relationships', {
  getState: operation({
    summary: 'Get the state that other services project',
    caller: 'service',
    services: ['payments', 'ledger'],
    body: z.strictObject({ partner_id: idOf('partner'), partner_customer_id: idOf('relationship') }),
    reply: RelationshipState,
    refusals: ['resource_not_found'],
  }),
  getName: operation({
    summary: 'Get the customer’s name from its verification data, for the checkout',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({ partner_id: idOf('partner'), partner_customer_id: idOf('relationship') }),
    reply: z.object({ name: z.string().nullable() }),
    refusals: ['resource_not_found'],
  }),
  getForNotice: operation({
    summary: 'Get the merchant of a relationship and its name, for e-mail to people about it',
    caller: 'service',
    services: ['access'],
    body: z.strictObject({ partner_id: idOf('partner'), partner_customer_id: idOf('relationship') }),
    reply: z.object({
      customer_id: idOf('merchant'),
      name: z.string().nullable(),
      relationship_status: RelationshipStatus,
      link_confirmed: z.boolean(),
    }),
    refusals: ['resource_not_found'],
  }),
  getByStaff: operation({
    operationId: 'getRelationship',
    http: get('/customers/:partnerCustomerId'),
    role: 'viewer',
    tag: 'Relationships',
    summary: 'Get a customer of any partner in any status, with its capabilities and case',
    description: 'Use it to check a customer before you act on it.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: CustomerFile }),
    refusals: ['resource_not_found'],
  }),
  listByStaff: operation({
    operationId: 'listRelationships',
    http: get('/customers'),
    role: 'viewer',
    tag: 'Relationships',
    summary: 'List the customers of all partners, newest first',
    description:
      'Use it to see who is new, or which customers a partner has. To find one customer, search by what you know.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter, ...customerFilters }),
    reply: z.object({ customers: z.array(ListedCustomer), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  revoke: operation({
    operationId: 'revokeRelationship',
    http: post('/customers/:partnerCustomerId/revoke'),
    role: 'reviewer',
    tag: 'Relationships',
    summary: 'Revoke a relationship: its partner no longer sees the customer',
    description:
      'Use it when a partner no longer serves the customer. The partner then sees neither the customer nor its events.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  confirmLink: operation({
    operationId: 'confirmRelationshipLink',
    http: post('/customers/:partnerCustomerId/confirm-link'),
    role: 'reviewer',
    tag: 'Relationships',
    summary: 'Confirm that a customer is a merchant that another partner had already linked',
    description:
      'Use it when a second partner links an existing merchant. Until it is confirmed, capabilities are unavailable with the reason `link_unconfirmed`.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  reinstate: operation({
    operationId: 'reinstateRelationship',
    http: post('/customers/:partnerCustomerId/reinstate'),
    role: 'reviewer',
    tag: 'Relationships',
    fourEyes: ['reinstatement'],
    preparedBy: 'prepareReinstatement',
    expected: ReinstatedState,
    repeatable: true,
    summary: 'Reinstate a revoked relationship',
    description: 'Use it to undo a revocation.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: z.object({ customer: Customer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  prepareReinstatement: operation({
    summary: 'Get the state of a relationship that a reinstatement would change',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: preparationOf(ReinstatedState),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
