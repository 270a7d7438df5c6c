import { newId } from '@causeway/chassis'

/** The order's data in an event of the fan-out benchmarks. */
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

/** The body of a delivery, of the product's length in the fan-out benchmarks. */
export const newEventBody = () => ({
  event_id: newId('event'),
  event_type: 'payment.pending',
  created_at: new Date().toISOString(),
  partner_id: newId('partner'),
  data: newEventData(newId('relationship')),
})
