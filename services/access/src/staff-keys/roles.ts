import type { StaffRole } from '@causeway/contracts'

/** Checks whether a role may act where another is required (decisions §14): every role may read, `admin` may do everything. */
export const roleAllows = (held: StaffRole, needed: StaffRole): boolean =>
  held === needed || held === 'admin' || needed === 'viewer'
