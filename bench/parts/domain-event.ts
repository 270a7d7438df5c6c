import { newId } from '@causeway/chassis'
import type { DomainEvent } from '@causeway/contracts'
import { newEventData } from './event-body.ts'

/** An event as payments publishes it when an order is created. */
export const newDomainEvent = (partnerId: string): DomainEvent => {
  const customerId = newId('relationship')
  return {
    id: newId('event'),
    name: 'payment.pending',
    created_at: new Date().toISOString(),
    partners: [
      {
        partner_id: partnerId,
        partner_customer_id: customerId,
        type: 'payment.pending',
        data: newEventData(customerId),
      },
    ],
    merchant: null,
    fact: null,
  }
}
