import { z } from 'zod'

/**
 * Roles of staff keys (decisions §14): `viewer` may read everything, `reviewer` also decides cases and grants, `finance`
 * also handles refunds, payouts and reconciliation, `admin` may do everything.
 */
export const STAFF_ROLES = ['viewer', 'reviewer', 'finance', 'admin'] as const
export const StaffRole = z.enum(STAFF_ROLES)
export type StaffRole = z.infer<typeof StaffRole>

/** Checks whether a role may act where another is required (decisions §14): every role may read, `admin` may do everything. */
export const roleAllows = (held: StaffRole, needed: StaffRole): boolean =>
  held === needed || held === 'admin' || needed === 'viewer'

/** Name of an actor of the audit log. Optional for an access service that is older than it. */
export const StaffName = z
  .string()
  .nullable()
  .optional()
  .meta({ description: 'Present name of the staff key; null for other actors' })
