import { implement, type Implementation } from '@causeway/chassis'
import { merchantDeliveries } from '@causeway/contracts'
import { deliveryHandlers } from './operations.ts'
import type { Parts } from '../dependencies.ts'

type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>

/** The log of a merchant's webhook, or of an integration's own URL, for staff. */
export const merchantDeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    merchantDeliveries,
    deliveryHandlers(parts, 'merchant', ({ params }: OfMerchant) => params.customerId),
  )
