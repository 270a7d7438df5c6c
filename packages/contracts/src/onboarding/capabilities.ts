import { z } from 'zod'
import { customerParams } from './customers.ts'
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

/** `onboarding.capabilities` (spec: Capabilities; decisions §4 and §14). */
export const capabilities = resource('onboarding.capabilities', {
  list: operation({
    operationId: 'listCapabilities',
    summary: 'Read what the customer may use and what is available now',
    description:
      'Read it before you offer a way to pay: an order needs its capability both `enabled` and `available`, and `reason` says what is missing. `capability.updated` tells of every change, so there is no need to poll.',
    params: customerParams,
    reply: CapabilityList,
    refusals: ['resource_not_found'],
  }),
  grant: operation({
    operationId: 'setCapability',
    summary: 'Grant or withdraw a capability',
    description:
      'Use it to let a customer use a capability, or to take that back. A grant alone does not make it available: the case, the agreements and the chargebacks count too.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship'), capability: CapabilityName }),
    body: z.strictObject({ enabled: z.boolean() }),
    reply: z.object({ capability: Capability }),
    refusals: ['resource_not_found'],
  }),
  suspend: operation({
    operationId: 'setSuspension',
    summary: 'Suspend capabilities of a merchant; an empty list lifts the suspension',
    description:
      'Use it to stop a merchant at once, for every partner: the capabilities of the list become unavailable with the reason `suspended`. The list replaces the one before.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: z.strictObject({
      capabilities: z.array(CapabilityName).max(7),
      expected: z
        .array(CapabilityName)
        .max(7)
        .optional()
        .meta({ description: 'What must be suspended now, else nothing changes: `invalid_state`' }),
    }),
    reply: z.object({ customer_id: idOf('merchant'), capabilities: z.array(CapabilityName) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
