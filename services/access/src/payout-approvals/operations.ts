import { implement, reply } from '@causeway/chassis'
import { accessPayoutApprovals } from '@causeway/contracts'
import type { ApprovePayout } from './approval.ts'

/** `access.payout-approvals` (ADR 0089). */
export const payoutApprovalOperations = (approve: ApprovePayout) =>
  implement(accessPayoutApprovals, {
    async create({ body }) {
      const { request_id: requestId, actor, params_json: paramsJson, request_json: bodyJson } = body
      const refusal = await approve({ requestId, actor, confirmedBy: null, paramsJson, bodyJson })
      return refusal ?? reply({})
    },
  })
