import type { HeldRequirement } from './domain.ts'
import type { RequirementRow } from './store.ts'

/** A row as the domain holds it: times as text, ids that not every reader may see still in it. */
export const heldRequirement = (row: RequirementRow): HeldRequirement => ({
  requirement_id: row.requirement_id,
  kind: row.kind,
  target: row.target,
  document_type: row.document_type,
  message: row.message,
  status: row.status,
  raised_by: row.raised_by,
  document_id: row.document_id,
  document_partner_id: row.document_partner_id,
  due_at: row.due_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
})
