import type { AuditEntry } from '@causeway/contracts'
import { z } from 'zod'

const Began = z.object({
  kind: z.literal('began'),
  entry_id: z.string(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})
const Ended = z.object({
  kind: z.literal('ended'),
  request_id: z.string(),
  /** Null leaves the target that was given at first. */
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

/** What one record of the audit log says: that an action began, or how it ended. */
export type AuditRecord = z.infer<typeof Began> | z.infer<typeof Ended>

/** Larger than what any staff action answers but for lists; a record has two of these. */
const MAX_STATE_BYTES = 64 * 1024

/** What was there before or after, or its size where it is too large to be kept. */
export const boundedState = (state: unknown): unknown => {
  if (state === null || state === undefined) return null
  const bytes = Buffer.byteLength(JSON.stringify(state))
  return bytes > MAX_STATE_BYTES ? { omitted_bytes: bytes } : state
}

/** One action as the API shows it: its beginning, completed by its end once that has come. */
export const entryOf = (began: string, ended: string | null): z.infer<typeof AuditEntry> => {
  const { kind: _kind, ...entry } = Began.parse(JSON.parse(began))
  if (ended === null) return entry
  const { target, before, after } = Ended.parse(JSON.parse(ended))
  return { ...entry, target: target ?? entry.target, before, after }
}
