import type { StaffRole } from '@causeway/contracts'

/** Whether a key of one role may call what needs another (decisions §14): every role reads, `admin` does all. */
export const roleAllows = (held: StaffRole, needed: StaffRole): boolean =>
  held === needed || held === 'admin' || needed === 'viewer'
