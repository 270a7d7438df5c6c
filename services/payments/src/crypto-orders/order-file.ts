import { refuse, reply, type Db } from '@causeway/chassis'
import { MAX_SHOWN_DEPOSITS, type CryptoOrderFile } from '@causeway/contracts'
import { listDepositsOfOrders, type KeptDeposit } from './deposits-store.ts'
import { presentRow, type OrderLinks } from './order.ts'
import { findPublicOrder } from './store.ts'

const presentDeposit = (deposit: KeptDeposit): CryptoOrderFile['deposits'][number] => ({
  tx_id: deposit.txId,
  asset: deposit.asset,
  amount: deposit.amount,
  confirmations: deposit.confirmations,
  block_number: deposit.blockNumber,
  counted_at: deposit.countedAt?.toISOString() ?? null,
  late: (deposit.split?.late ?? 0n) > 0n,
})

/** An order of any partner with what the chain has of it, for staff (decisions §45). */
export const getOrderFile = async (db: Db, orderId: string, links: OrderLinks) => {
  const order = await findPublicOrder(db, { orderId })
  if (!order) return refuse('resource_not_found')
  const deposits = await listDepositsOfOrders(db, { orderIds: [orderId] })
  const shown = deposits
    .toSorted((a, b) => a.txId.localeCompare(b.txId, 'en') || a.outputIndex - b.outputIndex)
    .slice(0, MAX_SHOWN_DEPOSITS)
  return reply({
    order: {
      ...presentRow(order, links),
      partner_id: order.partnerId,
      partner_customer_id: order.partnerCustomerId,
      customer_id: order.merchantId,
      received: order.received,
      deposits: shown.map(presentDeposit),
    },
  })
}
