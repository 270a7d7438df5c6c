import { implement, type Implementation } from '@causeway/chassis'
import { merchantEvents } from '@causeway/contracts'
import { eventHandlers } from './events.ts'
import type { Parts } from './parts.ts'

/** The events of a merchant, apart from their deliveries, for staff. */
export const merchantEventOperations = (parts: Parts): Implementation[] =>
  implement(
    merchantEvents,
    eventHandlers(parts, 'merchant', ({ customerId }: Readonly<{ customerId: string }>) => customerId),
  )
