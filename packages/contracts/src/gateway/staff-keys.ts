import { z } from 'zod'
import { del, get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'
import { StaffRole } from './staff-roles.ts'

/** Metadata of an operator API key. */
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
    http: post('/staff-keys', { status: 201 }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys'],
    summary: 'Create a staff key with a role; the key is shown once',
    description: 'Give each member of the staff a separate key: the audit log names it.',
    caller: 'operator',
    body: z.strictObject({ name: text(200), role: StaffRole }),
    reply: z.object({ staff_key: StaffKey, key: z.string().regex(/^staff_[\w-]{43}$/) }),
    refusals: ['limit_reached'],
  }),
  list: operation({
    operationId: 'listStaffKeys',
    http: get('/staff-keys'),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'List the valid staff keys, oldest first',
    description: 'Use it to see who may do what, and to find unused keys.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: StaffKeyList,
    refusals: ['invalid_cursor'],
  }),
  revoke: operation({
    operationId: 'revokeStaffKey',
    http: del('/staff-keys/:staffKeyId', { status: 204 }),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'Revoke a staff key within one second',
    description: 'Use it when somebody leaves or a key may have leaked.',
    caller: 'operator',
    params: z.object({ staffKeyId: idOf('staffKey') }),
    reply: z.strictObject({}),
    refusals: ['resource_not_found'],
  }),
})
