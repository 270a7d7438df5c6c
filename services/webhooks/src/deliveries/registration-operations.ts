import { implement, type Implementation } from '@causeway/chassis'
import { registrationDeliveries } from '@causeway/contracts'
import { deliveryHandlers } from './operations.ts'
import type { Parts } from '../dependencies.ts'

type OfCaller = Readonly<{
  caller: Readonly<{ merchantId: string }>
  params: Readonly<{ webhookId: string }>
}>

/** The log of a merchant's webhook (decisions §12). */
export const registrationDeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    registrationDeliveries,
    deliveryHandlers(parts, 'merchant', ({ caller }: OfCaller) => caller.merchantId),
  )
