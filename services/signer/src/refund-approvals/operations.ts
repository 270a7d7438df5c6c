import { implement, refuse, reply, type Implementation, type KeylessServiceContext } from '@causeway/chassis'
import { refundApprovals } from '@causeway/contracts'
import { appendRecord } from '../record/store.ts'
import type { OpenApproval } from './approvals.ts'
import { readApprovals } from '../record/approvals.ts'

const invalid = (field: 'statement' | 'signature', expected: string) =>
  refuse('invalid_request', [{ field, reason: 'invalid_value', expected }])

/** `signer.refund-approvals`: keeps what staff allow, with the gateway's signature (decisions §20). */
export const refundApprovalOperations = (
  { db, log }: Pick<KeylessServiceContext, 'db' | 'log'>,
  { openApproval }: Readonly<{ openApproval: OpenApproval }>,
): Implementation[] =>
  implement(refundApprovals, {
    async create({ caller, body: { statement, signature }, now, requestId }) {
      const approval = openApproval(statement, signature)
      if (approval === null || approval.approved_by !== caller.actor) {
        log.error(
          { event: 'signer.approval_forged', requestId },
          "The gateway's signature is missing from an approval",
        )
        return invalid('signature', 'a signature of the gateway, by the key of APPROVAL_VERIFYING_KEYS')
      }
      const { refund_id, expires_at } = approval
      if (new Date(expires_at) <= now) return invalid('statement', 'an approval that has not expired')
      const known = await readApprovals(db, openApproval, refund_id)
      // An approval of the same refund, by whomever, stays valid: a later one takes nothing away from it.
      if (!known.some((each) => JSON.stringify(each) === JSON.stringify(approval)))
        await db.transaction((tx) =>
          appendRecord(tx, {
            kind: 'approved',
            subject: refund_id,
            now,
            statement,
            signature,
            request_id: requestId,
          }),
        )
      return reply({ refund_id, expires_at })
    },
  })
