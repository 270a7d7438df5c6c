import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { merchants } from '@causeway/contracts'
import { findMerchant } from './store.ts'

/** `onboarding.merchants`: whether a merchant exists, for services that keep something of it. */
export const merchantOperations = ({ db }: Readonly<{ db: Db }>): Implementation[] =>
  implement(merchants, {
    async get({ params }) {
      const merchant = await findMerchant(db, { merchantId: params.customerId })
      return merchant ? reply({ customer_id: merchant.id }) : refuse('resource_not_found')
    },
  })
