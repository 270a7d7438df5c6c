import type { Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { listApprovals } from './store.ts'

const Recorded = z.object({ statement: z.string(), signature: z.string() })

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/**
 * Reads the approvals of a refund or a payout from the append-only record, newest first. What the gateway has not signed is
 * passed over: anybody with the signer's database can append to the record.
 * @param open returns a statement with a valid signature, null for every other text
 */
export const readApprovals = async <A extends object>(
  db: Queryable,
  open: (statement: string, signature: string) => A | null,
  subject: string,
): Promise<readonly A[]> =>
  (await listApprovals(db, { subject })).flatMap(({ record }) => {
    const recorded = Recorded.safeParse(parse(record))
    return recorded.success ? (open(recorded.data.statement, recorded.data.signature) ?? []) : []
  })
