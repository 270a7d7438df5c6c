import { declareChainedLog, queryMany, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** Kinds of records, in their order for a transfer. The subject of `approved` is also the id of the refund or payout. */
export type RecordKind =
  'approved' | 'requested' | 'refused' | 'signed' | 'broadcast' | 'confirmed' | 'failed'

/** The signer's log, in the schema `record`. */
export const signerRecord = declareChainedLog('record', 'subject')

/** Records what happened, with its time; the record cannot be changed afterwards (decisions §20). */
export const appendRecord = (
  db: Queryable,
  {
    kind,
    subject,
    now,
    ...facts
  }: Readonly<{ kind: RecordKind; subject: string; now: Date }> & Readonly<Record<string, unknown>>,
): Promise<void> => signerRecord.append(db, { kind, subject, at: now.toISOString(), ...facts })

/** Approvals that are read of one refund or payout, at most. */
const APPROVALS_MAX = 100

/** Lists the approvals of a refund or a payout, newest first, by any sender. */
export const listApprovals = queryMany({
  name: 'record.approvals',
  parameters: { subject: 'text' },
  text: `
    SELECT record FROM record.records WHERE subject = :subject AND kind = 'approved'
    ORDER BY sequence DESC LIMIT ${APPROVALS_MAX}`,
  row: z.object({ record: z.string() }),
})
