import { newId } from '@causeway/chassis'

/** The body of a delivery, as long as the product's in the benchmarks of fan-out. */
export type EventBody = Readonly<{ event_id: string; [field: string]: unknown }>

/** What such an event says of its order. */
export const newEventData = (customerId: string) => ({
  partner_customer_id: customerId,
  rail: 'crypto',
  order_id: newId('cryptoOrder'),
  status: 'pending',
  reference: 'a1b2c3d4-000000000001',
  chain: 'ETH',
  asset: 'USDT',
  amount: '28.735632',
  currency: 'EUR',
  tx_id: null,
  block_number: null,
  received: null,
})

export const newEventBody = (): EventBody => ({
  event_id: newId('event'),
  event_type: 'payment.pending',
  created_at: new Date().toISOString(),
  partner_id: newId('partner'),
  data: newEventData(newId('relationship')),
})
