import { z } from 'zod'
import { customerParams } from './customers.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { get, put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'

/** Why a granted capability is unavailable; the first that applies is shown (decisions §4). */
export const UNAVAILABLE_REASONS = [
  'link_unconfirmed',
  'suspended',
  'verification_required',
  'verification_expired',
  'agreement_required',
  'chargeback_threshold',
] as const
export const UnavailableReason = z.enum(UNAVAILABLE_REASONS)
export type UnavailableReason = z.infer<typeof UnavailableReason>

/** A capability: whether it is granted, and whether the merchant's state allows it (spec: Capability). */
export const Capability = z.object({
  capability: CapabilityName,
  enabled: z.boolean(),
  available: z.boolean(),
  reason: UnavailableReason.nullable(),
})
export type Capability = z.infer<typeof Capability>

export const CapabilityList = z.object({ capabilities: z.array(Capability) })

const Suspension = z.strictObject({
  capabilities: z.array(CapabilityName).max(7),
  expected: z
    .array(CapabilityName)
    .max(7)
    .optional()
    .meta({ description: 'Capabilities that must be suspended now; otherwise `invalid_state`' }),
})
const SuspensionState = z.object({ capabilities: z.array(CapabilityName) })

/** `onboarding.capabilities` (spec: Capabilities; decisions §4 and §14). */
export const capabilities = resource('onboarding.capabilities', {
  list: operation({
    operationId: 'listCapabilities',
    http: get('/customers/:customerId/capabilities', { scopes: ['customers:read'] }),
    tag: 'Customers',
    summary: 'Get the customer’s capabilities: granted and available',
    description:
      'Read it before you offer a payment method: an order needs a capability that is `enabled` and `available`. `reason` says what is missing. Do not poll: `capability.updated` reports every change.',
    params: customerParams,
    reply: CapabilityList,
    refusals: ['resource_not_found'],
  }),
  grant: operation({
    operationId: 'setCapability',
    http: put('/customers/:partnerCustomerId/capabilities/:capability'),
    role: 'reviewer',
    tag: 'Relationships',
    summary: 'Grant or withdraw a capability',
    description:
      'Use it to grant or withdraw a capability. A grant alone does not make it available: the case, the agreements and chargebacks count too.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship'), capability: CapabilityName }),
    body: z.strictObject({ enabled: z.boolean() }),
    reply: z.object({ capability: Capability }),
    refusals: ['resource_not_found'],
  }),
  suspend: operation({
    operationId: 'setSuspension',
    http: put('/merchants/:customerId/suspension'),
    role: 'reviewer',
    tag: 'Relationships',
    fourEyes: ['reinstatement'],
    preparedBy: 'prepareSuspension',
    expected: SuspensionState,
    repeatable: true,
    summary: 'Suspend capabilities of a merchant; an empty list lifts the suspension',
    description:
      'Use it to stop a merchant immediately, for all partners: the listed capabilities become unavailable with the reason `suspended`. The list replaces the previous one.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: Suspension,
    reply: z.object({ customer_id: idOf('merchant'), capabilities: z.array(CapabilityName) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  prepareSuspension: operation({
    summary: 'Get the suspended capabilities that a suspension would replace',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: Suspension,
    reply: preparationOf(SuspensionState),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
