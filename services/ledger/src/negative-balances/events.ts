import { newIdAt } from '@causeway/chassis'
import type { EventOf } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import type { CrossingRow } from './store.ts'

/** The event of an available balance that fell below zero. */
export const negativeEvent = (row: CrossingRow, now: Date): EventOf<'balance.negative'> => ({
  id: newIdAt('event', now.getTime()),
  name: 'balance.negative',
  created_at: now.toISOString(),
  partners: [
    {
      partner_id: row.partnerId,
      partner_customer_id: row.partnerCustomerId,
      type: 'balance.negative',
      data: {
        partner_customer_id: row.partnerCustomerId,
        customer_id: row.merchantId,
        unit: row.unit,
        available: presentAmount(row.unit, row.available),
        journal_id: row.journalId,
        recorded_at: row.recordedAt.toISOString(),
      },
    },
  ],
  merchant: null,
  fact: null,
})
