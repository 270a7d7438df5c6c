import { refuse } from '@causeway/chassis'
import { RelationshipStatus, UnavailableReason } from '@causeway/contracts'
import { z } from 'zod'

/** The state of a relationship and of one of its capabilities, as projected. */
export const Eligibility = z.object({
  status: RelationshipStatus,
  enabled: z.boolean(),
  available: z.boolean(),
  reason: UnavailableReason.nullable(),
})
export type Eligibility = Readonly<z.infer<typeof Eligibility>>

/** Why the relationship is not visible, or null. Unknown and revoked look alike (decisions §3). */
export const refuseInvisible = (eligibility: Eligibility | null) =>
  eligibility?.status === 'active' ? null : refuse('resource_not_found')

/** Why the capability may not be used at all, or null. */
export const refuseUngranted = (eligibility: Eligibility | null) =>
  refuseInvisible(eligibility) ?? (eligibility?.enabled ? null : refuse('capability_not_enabled'))

/** Why the capability may not be used now, or null (decisions §4). */
export const refuseUnusable = (eligibility: Eligibility | null) =>
  refuseUngranted(eligibility) ??
  (eligibility?.available
    ? null
    : refuse('capability_unavailable', [{ reason: eligibility?.reason ?? null }]))
