import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'
import { StaffRole } from './staff-roles.ts'

/** A key of the operator API, without the key itself. */
export const StaffKey = z.object({
  staff_key_id: idOf('staffKey'),
  name: z.string(),
  role: StaffRole,
  created_at: Timestamp,
  last_used_at: Timestamp.nullable().meta({ description: 'Accurate to two minutes' }),
})
export type StaffKey = z.infer<typeof StaffKey>

export const StaffKeyList = z.object({ staff_keys: z.array(StaffKey), next_cursor: NextCursor })

/** `gateway.staff-keys`: named keys of the operator API (decisions §14). */
export const staffKeys = resource('gateway.staff-keys', {
  create: operation({
    operationId: 'createStaffKey',
    summary: 'Give somebody of the staff a key with a role; it is shown once',
    description: 'Use it so that every member of the staff has a key of its own: the audit log names it.',
    caller: 'operator',
    body: z.strictObject({ name: text(200), role: StaffRole }),
    reply: z.object({ staff_key: StaffKey, key: z.string().regex(/^staff_[\w-]{43}$/) }),
    refusals: ['limit_reached'],
  }),
  list: operation({
    operationId: 'listStaffKeys',
    summary: 'List the valid staff keys, oldest first',
    description: 'Use it to see who may do what, and which keys nobody uses.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: StaffKeyList,
    refusals: ['invalid_cursor'],
  }),
  revoke: operation({
    operationId: 'revokeStaffKey',
    summary: 'Take a staff key back: it is refused within a second',
    description: 'Use it when somebody leaves, or a key may be known to others.',
    caller: 'operator',
    params: z.object({ staffKeyId: idOf('staffKey') }),
    reply: z.strictObject({}),
    refusals: ['resource_not_found'],
  }),
})
