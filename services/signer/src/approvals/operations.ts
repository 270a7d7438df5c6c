import { implement, reply, type Implementation, type KeylessServiceContext } from '@causeway/chassis'
import { approvals } from '@causeway/contracts'
import { appendRecord, findApproved } from '../record/store.ts'

/** `signer.approvals`: what staff allow, as the gateway says itself (decisions §20). */
export const approvalOperations = ({ db }: Pick<KeylessServiceContext, 'db'>): Implementation[] =>
  implement(approvals, {
    create: ({ caller, params, body, now, requestId }) =>
      db.transaction(async (tx) => {
        const known = await findApproved(tx, params.orderId)
        if (known?.toAddress === body.to_address)
          return reply({ order_id: params.orderId, to_address: known.toAddress, approved_at: known.at })
        await appendRecord(tx, {
          kind: 'approved',
          subject: params.orderId,
          now,
          to_address: body.to_address,
          actor: caller.actor,
          request_id: requestId,
        })
        return reply({
          order_id: params.orderId,
          to_address: body.to_address,
          approved_at: now.toISOString(),
        })
      }),
  })
