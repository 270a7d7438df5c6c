import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { merchants } from '@causeway/contracts'
import { findMerchant } from './known-merchants.ts'

/** `onboarding.merchants`: whether a merchant exists, for those who keep something of it elsewhere. */
export const merchantOperations = ({ db }: Readonly<{ db: Db }>): Implementation[] =>
  implement(merchants, {
    async read({ params }) {
      const [merchant] = await db.query(findMerchant, [params.customerId])
      return merchant ? reply({ customer_id: merchant.id }) : refuse('resource_not_found')
    },
  })
