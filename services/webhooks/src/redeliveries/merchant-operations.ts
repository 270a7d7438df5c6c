import { implement, type Implementation } from '@causeway/chassis'
import { merchantRedeliveries } from '@causeway/contracts'
import type { Parts } from '../dependencies.ts'
import { redeliveryHandlers } from './operations.ts'

type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>

/** Sending a merchant's events again in bulk, for staff. */
export const merchantRedeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    merchantRedeliveries,
    redeliveryHandlers(parts, 'merchant', ({ params }: OfMerchant) => params.customerId),
  )
