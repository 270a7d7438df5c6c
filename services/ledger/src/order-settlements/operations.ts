import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { orderSettlements } from '@causeway/contracts'
import { listSettlements } from './store.ts'

/** `ledger.order-settlements` (decisions §51). */
export const orderSettlementOperations = (db: Pick<Db, 'pooled'>): Implementation[] =>
  implement(orderSettlements, {
    async listByMerchant({ caller: { merchantId }, params: { orderKey } }) {
      return reply({ settlements: await listSettlements(db.pooled, { merchantId, orderKey }) })
    },
  })
