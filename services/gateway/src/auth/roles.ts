import type { StaffRole } from '@causeway/contracts'

/** Whether somebody of one role may do what needs another (decisions §14): every role may read, `admin` may do everything. */
export const roleAllows = (held: StaffRole, needed: StaffRole): boolean =>
  held === needed || held === 'admin' || needed === 'viewer'
