import { newId, newIdAt } from '@causeway/chassis'
import type { DomainEvent, PartnerEvent } from '@causeway/contracts'

export const callerOf = (partnerId: string) =>
  ({ kind: 'partner', partnerId, clientId: newId('client') }) as const

/** An event of a partner: as its service emits it, and the body that the partner receives. */
export const partnerEvent = (
  partnerId: string,
  createdMs = Date.now(),
  {
    type = 'payment.confirmed',
    relationshipId = newId('relationship'),
  }: Readonly<{ type?: 'payment.confirmed' | 'payment.expired'; relationshipId?: string }> = {},
) => {
  const id = newIdAt('event', createdMs)
  const createdAt = new Date(createdMs).toISOString()
  const data = {
    partner_customer_id: relationshipId,
    rail: 'crypto',
    order_id: newId('cryptoOrder'),
    status: 'paid',
    reference: 'A-1',
    chain: 'BTC',
    asset: 'BTC',
    amount: '0.001',
    currency: 'EUR',
    tx_id: null,
    block_number: null,
    received: null,
  }
  const event: DomainEvent = {
    id,
    name: type,
    created_at: createdAt,
    partners: [{ partner_id: partnerId, partner_customer_id: relationshipId, type, data }],
    merchant: null,
    fact: null,
  }
  const body = { event_id: id, event_type: type, created_at: createdAt, partner_id: partnerId, data }
  return { id, event, body: body as unknown as PartnerEvent }
}
