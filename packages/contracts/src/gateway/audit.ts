import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'

/** One action of staff: who did what to what, before and after (decisions §14). */
export const AuditEntry = z.object({
  entry_id: idOf('auditEntry'),
  at: Timestamp,
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})

export const AuditEntryList = z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor })

/** `gateway.audit`: the audit log of staff actions. */
export const audit = resource('gateway.audit', {
  list: operation({
    operationId: 'listAuditEntries',
    summary: 'List staff actions, oldest first',
    description: 'Use it to find who did what, and when.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: AuditEntryList,
    refusals: ['invalid_cursor'],
  }),
})
