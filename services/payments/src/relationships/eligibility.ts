import { refuse } from '@causeway/chassis'
import { UnavailableReason } from '@causeway/contracts'
import { z } from 'zod'

/** What a relationship may do with one capability, as projected. */
export const Standing = z.object({
  status: z.enum(['active', 'revoked']),
  enabled: z.boolean(),
  available: z.boolean(),
  reason: UnavailableReason.nullable(),
})
export type Standing = Readonly<z.infer<typeof Standing>>

/** Why the relationship is not visible, or null. Unknown and revoked look alike (decisions §3). */
export const refuseInvisible = (standing: Standing | null) =>
  standing?.status === 'active' ? null : refuse('resource_not_found')

/** Why the capability may not be used at all, or null. */
export const refuseUngranted = (standing: Standing | null) =>
  refuseInvisible(standing) ?? (standing?.enabled ? null : refuse('capability_not_enabled'))

/** Why the capability may not be used now, or null (decisions §4). */
export const refuseUnusable = (standing: Standing | null) =>
  refuseUngranted(standing) ??
  (standing?.available ? null : refuse('capability_unavailable', [{ reason: standing?.reason ?? null }]))
