import type { AuditEntry } from '@causeway/contracts'
import { z } from 'zod'

const Began = z.object({
  kind: z.literal('began'),
  entry_id: z.string(),
  at: z.string(),
  actor: z.string(),
  /** Left out where no second person was needed. */
  confirmed_by: z.string().optional(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})
const Ended = z.object({
  kind: z.literal('ended'),
  request_id: z.string(),
  /** Null: the target of the beginning. */
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

/** An entry without names, which the chain does not contain. */
export type RecordedEntry = Omit<z.infer<typeof AuditEntry>, 'actor_name' | 'confirmed_by_name'>

/** A record of the audit log: an action began, or it ended. */
export type AuditRecord = z.infer<typeof Began> | z.infer<typeof Ended>

/** More than any reply to staff except lists. A record has two states. */
const MAX_STATE_BYTES = 64 * 1024

/** A state before or after an action, or only its size when it has more than 64 KiB. */
export const boundedState = (state: unknown): unknown => {
  if (state === null || state === undefined) return null
  const bytes = Buffer.byteLength(JSON.stringify(state))
  return bytes > MAX_STATE_BYTES ? { omitted_bytes: bytes } : state
}

/** One action in the API: the record of its beginning, completed by that of its end if there is one. */
export const entryOf = (began: string, ended: string | null): RecordedEntry => {
  const { kind: _kind, ...entry } = Began.parse(JSON.parse(began))
  if (ended === null) return entry
  const { target, before, after } = Ended.parse(JSON.parse(ended))
  return { ...entry, target: target ?? entry.target, before, after }
}
