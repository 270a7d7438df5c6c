import { implement, reply } from '@causeway/chassis'
import { accessRefundApprovals } from '@causeway/contracts'
import type { ApproveRefund } from './approval.ts'

/** `access.refund-approvals` (decisions §20). */
export const refundApprovalOperations = (approve: ApproveRefund) =>
  implement(accessRefundApprovals, {
    async create({ body }) {
      const { request_id: requestId, actor, request_json: bodyJson } = body
      const refusal = await approve({ requestId, actor, confirmedBy: null, bodyJson, reply: body.reply })
      return refusal ?? reply({})
    },
  })
