import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { StaffName } from './staff-roles.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, optionalText, Timestamp } from '../primitives.ts'

/** One action of staff: who did what to what, before and after (decisions §14). */
export const AuditEntry = z.object({
  entry_id: idOf('auditEntry'),
  at: Timestamp,
  actor: z.string(),
  actor_name: StaffName,
  confirmed_by: z.string().optional().meta({ description: 'The second person; absent if none was needed' }),
  confirmed_by_name: StaffName,
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})

export const AuditEntryList = z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor })

/** Part of a text that an entry's field has to hold; nothing where it is empty. */
const part = (description: string) => optionalText(200).optional().meta({ description })

/** `gateway.audit`: the audit log of staff actions. */
export const audit = resource('gateway.audit', {
  list: operation({
    operationId: 'listAuditEntries',
    http: get('/audit'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'List staff actions, oldest first or newest first',
    description:
      'Use it to find who did what, and when. With a filter, a page before the last can be short or empty.',
    caller: 'operator',
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      order: z.enum(['oldest', 'newest']).default('oldest'),
      actor: part('The first or the second person: the id, as `actor` states it, or the name of a staff key'),
      action: part('Prefix of the action: `gateway.partners` matches all actions on partners'),
      target: part('Part of the target, such as an id'),
    }),
    reply: AuditEntryList,
    refusals: ['invalid_cursor'],
  }),
})
