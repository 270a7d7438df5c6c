import {
  createCursors,
  implement,
  newIdAt,
  refuse,
  reply,
  type Db,
  type Handlers,
  type Implementation,
  type OperationRequest,
  type ServiceContext,
} from '@causeway/chassis'
import {
  cryptoOrders,
  MAX_DEPOSITS_OF_BUYER,
  MAX_SHOWN_DEPOSITS,
  type CryptoOrderFile,
} from '@causeway/contracts'
import { paymentUri } from '@causeway/rails/networks'
import { listDepositsOfOrders, type KeptDeposit } from './deposits-store.ts'
import { orderEvent } from './events.ts'
import { differingFields, presentOrder, presentRow, type OrderLinks } from './order.ts'
import { presentToBuyer, versionOf, type BuyersPage } from './buyer-view.ts'
import {
  findOrderByBuyer,
  findPublicOrder,
  findVisibleOrder,
  listOrderStates,
  listVisibleOrders,
  lockVisibleOrder,
  updateOrderStatus,
} from './store.ts'
import { createOrderCreation, type CreationOptions } from './creation.ts'
import { createOrderList } from './list.ts'
import { listIdsOfPartner } from '../order-lists/list.ts'
import { createQrImages } from './qr-images.ts'

const presentDeposit = (deposit: KeptDeposit): CryptoOrderFile['deposits'][number] => ({
  tx_id: deposit.txId,
  asset: deposit.asset,
  amount: deposit.amount,
  confirmations: deposit.confirmations,
  block_number: deposit.blockNumber,
  counted_at: deposit.countedAt?.toISOString() ?? null,
  late: (deposit.split?.late ?? 0n) > 0n,
  ...(deposit.serviceFee !== '0' && { service_fee: deposit.serviceFee }),
  ...(deposit.settledAmount !== '0' && {
    settled_amount: deposit.settledAmount,
    settled_cents: deposit.settledCents,
  }),
})

/** An order of any partner with what the chain has of it, for staff (decisions §45). */
const getOrderFile = async (db: Db, orderId: string, links: OrderLinks) => {
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

/** Operations of an order's payment page (decisions §22). */
const buyerOperations = (db: Db, page: BuyersPage) => ({
  async getByBuyer({ params }: OperationRequest<(typeof cryptoOrders)['getByBuyer']>) {
    const order = await findOrderByBuyer(db, { ...params, limit: MAX_DEPOSITS_OF_BUYER })
    if (order === null) return refuse('resource_not_found')
    return reply({ order: presentToBuyer(order, page), branded_by: order.partnerCustomerId })
  },

  async listVersions({ body }: OperationRequest<(typeof cryptoOrders)['listVersions']>) {
    const orders = await listOrderStates(db, { orderIds: body.order_ids })
    return reply({ orders: orders.map((order) => ({ id: order.id, version: versionOf(order) })) })
  },
})

/** Operations that refund orders, from `crypto-refunds`. */
type OrderRefunds = Pick<Handlers<typeof cryptoOrders>, 'refund' | 'getRefundPlan' | 'getRefund'>

/** `payments.crypto-orders` (spec: Crypto orders; decisions §9). */
export const cryptoOrderOperations = (
  context: ServiceContext,
  options: CreationOptions &
    Readonly<{ refunds: OrderRefunds; buyersPage: Pick<BuyersPage, 'confirmations' | 'explorers'> }>,
): Implementation[] => {
  const { db, vault } = context
  const { links } = options
  const cursors = createCursors(vault)
  const createOrder = createOrderCreation(context, options)
  const listOrders = createOrderList(context, options)
  const qrImages = createQrImages()

  return implement(cryptoOrders, {
    async create({ caller, params, body, now }) {
      const { partnerId } = caller
      const outcome = await createOrder({ partnerId, partnerCustomerId: params.customerId, body, now })
      if (!outcome.ok) return outcome
      const { order, replayed } = outcome
      const differs = replayed ? differingFields(body, order) : []
      return reply({ order: presentOrder(order, links), replayed, ...(differs.length > 0 && { differs }) })
    },

    list: ({ caller, params, query }) =>
      listOrders({ partnerId: caller.partnerId, partnerCustomerId: params.customerId, ...query }),

    async listOfPartner({ caller: { partnerId }, query }) {
      const page = await listIdsOfPartner({ db, cursors }, { partnerId, kind: 'crypto' }, query)
      if (page === null) return refuse('invalid_cursor')
      const found = await listVisibleOrders(db, { partnerId, orderIds: page.ids })
      return reply({
        orders: found.map((order) => ({
          ...presentRow(order, links),
          partnerCustomerId: order.partnerCustomerId,
        })),
        next_cursor: page.next,
      })
    },

    async get({ caller, params }) {
      const order = await findVisibleOrder(db, { partnerId: caller.partnerId, ...params })
      if (!order) return refuse('resource_not_found')
      const image = qrImages.of(paymentUri(order, links.chains))
      return reply({
        order: { ...presentOrder(order, links), qrImage: `data:image/png;base64,${image}` },
        partner_customer_id: order.partnerCustomerId,
      })
    },

    cancel: ({ caller, params, now }) =>
      db.transaction(async (tx) => {
        const found = await lockVisibleOrder(tx, { partnerId: caller.partnerId, ...params })
        if (!found) return refuse('resource_not_found')
        if (found.status !== 'pending')
          return refuse('invalid_state', [{ from: found.status, to: 'cancelled' }])
        const order = { ...found, status: 'cancelled' as const }
        await updateOrderStatus(tx, {
          orderId: order.id,
          partnerId: order.partnerId,
          status: order.status,
          now,
        })
        tx.emit(
          orderEvent({
            eventId: newIdAt('event', now.getTime()),
            type: 'payment.cancelled',
            order,
            deposit: null,
            partnerSees: true,
            now,
            links,
          }),
        )
        return reply({ order: presentOrder(order, links) })
      }),

    getByStaff: ({ params: { orderId } }) => getOrderFile(db, orderId, links),

    ...options.refunds,

    async getQrImage({ params }) {
      const order = await findPublicOrder(db, params)
      if (!order) return refuse('resource_not_found')
      return reply({
        content_type: 'image/png' as const,
        content_base64: qrImages.of(paymentUri(order, links.chains)),
      })
    },

    ...buyerOperations(db, { ...options.buyersPage, links, drawQr: (text) => qrImages.of(text) }),
  })
}
