import { implement, type Implementation } from '@causeway/chassis'
import { merchantEvents } from '@causeway/contracts'
import { eventHandlers } from './operations.ts'
import type { Parts } from '../dependencies.ts'

type OfMerchant = Readonly<{ params: Readonly<{ customerId: string }> }>

/** The events of a merchant, apart from their deliveries, for staff. */
export const merchantEventOperations = (parts: Parts): Implementation[] =>
  implement(
    merchantEvents,
    eventHandlers(parts, 'merchant', ({ params }: OfMerchant) => params.customerId),
  )
