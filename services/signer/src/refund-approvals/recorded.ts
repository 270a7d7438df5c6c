import type { Queryable } from '@causeway/chassis'
import type { RefundApproval } from '@causeway/contracts'
import { z } from 'zod'
import { listApprovals } from '../record/store.ts'
import type { OpenApproval } from './approvals.ts'

const Recorded = z.object({ statement: z.string(), signature: z.string() })

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/**
 * Reads the approvals of a refund from the append-only record, newest first. What the gateway has not signed is passed
 * over: anybody with the signer's database can append to the record.
 */
export const readApprovals = async (
  db: Queryable,
  open: OpenApproval,
  refundId: string,
): Promise<readonly RefundApproval[]> =>
  (await listApprovals(db, { refundId })).flatMap(({ record }) => {
    const recorded = Recorded.safeParse(parse(record))
    return recorded.success ? (open(recorded.data.statement, recorded.data.signature) ?? []) : []
  })
