import { implement, refuse, reply, type Ground, type Implementation } from '@causeway/chassis'
import { refunds } from '@causeway/contracts'
import { presentRefund } from '../domain/refund.ts'
import * as store from '../store/refunds.ts'
import { openDescription } from './description.ts'
import { createRefundCreation, type CreationParts } from './refund-creation.ts'

/** `refunds.refunds` (spec: Refund a fiat order; decisions §10 and §11). */
export const refundOperations = (ground: Ground, parts: CreationParts): Implementation[] =>
  implement(refunds, {
    create: createRefundCreation(ground, parts),

    async list({ caller: { partnerId }, params: { orderKey } }) {
      if ((await parts.payments.read(partnerId, orderKey)) === null) return refuse('resource_not_found')
      const found = await ground.db.query(store.list, [partnerId, orderKey])
      return reply({
        refunds: found.map((refund) => presentRefund(refund, openDescription(ground.vault, refund))),
      })
    },
  })
