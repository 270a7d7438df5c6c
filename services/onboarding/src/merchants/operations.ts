import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { merchants } from '@causeway/contracts'
import { findMerchant } from './store.ts'

/** `onboarding.merchants`: whether a merchant exists and what of it is suspended, for the gateway. */
export const merchantOperations = ({ db }: Readonly<{ db: Db }>): Implementation[] =>
  implement(merchants, {
    async get({ params }) {
      const merchant = await findMerchant(db, { merchantId: params.customerId })
      if (merchant === null) return refuse('resource_not_found')
      return reply({ customer_id: merchant.id, suspended_capabilities: merchant.suspended })
    },
  })
