import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, optionalText, Timestamp } from '../primitives.ts'

/** One action of staff: who did what to what, before and after (decisions §14). */
export const AuditEntry = z.object({
  entry_id: idOf('auditEntry'),
  at: Timestamp,
  actor: z.string(),
  confirmed_by: z
    .string()
    .optional()
    .meta({ description: 'The second person; left out where none was needed' }),
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
    summary: 'List staff actions, oldest first or newest first',
    description:
      'Use it to find who did what, and when. With a filter a page that is not the last may be short or empty.',
    caller: 'operator',
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      order: z.enum(['oldest', 'newest']).default('oldest'),
      actor: part('Whom the entry names, in full, as the first or the second person'),
      action: part('How the action begins: `gateway.partners` finds each one on partners'),
      target: part('A part of what was acted on, such as one id'),
    }),
    reply: AuditEntryList,
    refusals: ['invalid_cursor'],
  }),
})
