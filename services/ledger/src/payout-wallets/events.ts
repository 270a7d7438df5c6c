import { newIdAt } from '@causeway/chassis'
import { EVENTS, type EventOf } from '@causeway/contracts'
import type { WalletRow } from './store.ts'

type Told = Omit<WalletRow, 'network' | 'address' | 'refusalReason'>

const partnersOf = <N extends string>(name: N, row: Told) => [
  {
    partner_id: row.partnerId,
    partner_customer_id: row.partnerCustomerId,
    type: name,
    data: {
      partner_customer_id: row.partnerCustomerId,
      payout_wallet_id: row.payoutWalletId,
      kind: row.kind,
      unit: row.unit,
      masked: row.masked,
      status: row.status,
      usable_from: row.usableFrom.toISOString(),
    },
  },
]

const headOf = (now: Date) => ({ id: newIdAt('event', now.getTime()), created_at: now.toISOString() })

type MerchantEvent = 'payout_wallet.added' | 'payout_wallet.deleted'

/** The event of a destination that is added or deleted. The merchant is notified too: it may not have asked for it. */
export const changeEvent = (name: MerchantEvent, row: Told, now: Date): EventOf<MerchantEvent> => {
  const event = EVENTS[name].merchant
  const payoutWallet = {
    payoutWalletId: row.payoutWalletId,
    partnerCustomerId: row.partnerCustomerId,
    kind: row.kind,
    unit: row.unit,
    masked: row.masked,
    status: row.status,
    usableFrom: row.usableFrom.toISOString(),
  }
  return {
    ...headOf(now),
    name,
    partners: partnersOf(name, row),
    merchant: { merchant_id: row.merchantId, integration_id: null, event, body: { event, payoutWallet } },
    fact: null,
  }
}

/** The event of a destination that can be used from now on. */
export const activeEvent = (row: Told, now: Date): EventOf<'payout_wallet.active'> => ({
  ...headOf(now),
  name: 'payout_wallet.active',
  partners: partnersOf('payout_wallet.active', row),
  merchant: null,
  fact: null,
})
