import type { Requirement } from '@causeway/contracts'
import type { Party } from './domain.ts'
import type { RequirementRow } from './store.ts'

const raiserFor = (reader: Party, raisedBy: Party): Requirement['raised_by'] => {
  if (raisedBy === null) return 'service'
  return raisedBy === reader ? 'you' : 'partner'
}

/** A requirement as one party sees it: who raised it from its side, and no id of another partner's document. */
export const presentRequirement = (row: RequirementRow, reader: Party): Requirement => ({
  requirement_id: row.requirementId,
  kind: row.kind,
  target: row.target,
  document_type: row.documentType,
  message: row.message,
  status: row.status,
  raised_by: raiserFor(reader, row.raisedBy),
  document_id: reader === null || row.documentPartnerId === reader ? row.documentId : null,
  due_at: row.dueAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
  resolved_at: row.resolvedAt?.toISOString() ?? null,
})
