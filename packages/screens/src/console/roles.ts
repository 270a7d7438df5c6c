import type { StaffRole } from '@causeway/contracts'
import type { StaffSession } from './frame.ts'

/** True if a session's role includes the needed one (decisions §14). The gateway enforces it; screens only hide actions. */
export const mayDo = ({ principal: { role } }: StaffSession, needed: StaffRole): boolean =>
  role === 'admin' || role === needed || needed === 'viewer'
