import { implement, refuse, reply, type Implementation, type KeylessServiceContext } from '@causeway/chassis'
import { payoutApprovals } from '@causeway/contracts'
import { readApprovals } from '../record/approvals.ts'
import { appendRecord } from '../record/store.ts'
import type { OpenPayoutApproval } from './approvals.ts'

const invalid = (field: 'statement' | 'signature', expected: string) =>
  refuse('invalid_request', [{ field, reason: 'invalid_value', expected }])

/** `signer.payout-approvals`: keeps which payouts staff allow, with the signature of access (ADR 0089). */
export const payoutApprovalOperations = (
  { db, log }: Pick<KeylessServiceContext, 'db' | 'log'>,
  open: OpenPayoutApproval,
): Implementation[] =>
  implement(payoutApprovals, {
    async create({ body: { statement, signature }, now, requestId }) {
      const approval = open(statement, signature)
      if (approval === null) {
        log.error(
          { event: 'signer.approval_forged', requestId },
          "The gateway's signature is missing from an approval",
        )
        return invalid('signature', 'a signature of access, by the key of APPROVAL_VERIFYING_KEYS')
      }
      const { payout_id, expires_at } = approval
      if (new Date(expires_at) <= now) return invalid('statement', 'an approval that has not expired')
      const known = await readApprovals(db, open, payout_id)
      if (!known.some((each) => JSON.stringify(each) === JSON.stringify(approval)))
        await db.transaction((tx) =>
          appendRecord(tx, {
            ...{ kind: 'approved', subject: payout_id, now },
            ...{ statement, signature, request_id: requestId },
          }),
        )
      return reply({ payout_id, expires_at })
    },
  })
