import { implement, type Implementation } from '@causeway/chassis'
import { registrationEvents } from '@causeway/contracts'
import { eventHandlers } from './operations.ts'
import type { Parts } from '../dependencies.ts'

type OfCaller = Readonly<{ caller: Readonly<{ merchantId: string }> }>

/** A merchant's events, apart from their deliveries. */
export const registrationEventOperations = (parts: Parts): Implementation[] =>
  implement(
    registrationEvents,
    eventHandlers(parts, 'merchant', ({ caller }: OfCaller) => caller.merchantId),
  )
