import type { StaffRole } from '@causeway/contracts'
import type { StaffSession } from './frame.ts'

/** Whether a session's role may do what needs another: as the gateway decides it (decisions §14). It decides again. */
export const mayDo = ({ principal: { role } }: StaffSession, needed: StaffRole): boolean =>
  role === 'admin' || role === needed || needed === 'viewer'
