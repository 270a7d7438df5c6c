import { z } from 'zod'

/**
 * Roles of staff keys (decisions §14): `viewer` may read everything, `reviewer` also decides cases and grants, `finance`
 * also handles refunds, payouts and reconciliation, `admin` may do everything.
 */
export const STAFF_ROLES = ['viewer', 'reviewer', 'finance', 'admin'] as const
export const StaffRole = z.enum(STAFF_ROLES)
export type StaffRole = z.infer<typeof StaffRole>
