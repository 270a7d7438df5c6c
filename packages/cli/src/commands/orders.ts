import type { Schemas } from '@causeway/client'
import { Option, type Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { cents, time } from '../output/values.ts'
import { addOrderCreate } from './order-create.ts'
import { addOrderRefund, isCryptoOrder } from './order-refund.ts'
import { limitOption, take } from './options.ts'

/** An order of either kind, as the table shows it. */
type Row = Readonly<{
  id: string
  kind: 'crypto' | 'card'
  status: string
  amount: string
  reference: string | null
  createdAt: string
}>

/** As events call them. */
const RAILS = { crypto: 'crypto', card: 'fiat' } as const

const COLUMNS: Columns<Row> = {
  ORDER: (row) => row.id,
  KIND: (row) => row.kind,
  STATUS: (row) => row.status,
  AMOUNT: (row) => row.amount,
  REFERENCE: (row) => row.reference,
  CREATED: (row) => time(row.createdAt),
}

const cryptoRow = (order: Schemas['CryptoOrder']): Row => ({
  id: order.id,
  kind: 'crypto',
  status: order.status,
  amount: `${order.amount} ${order.asset}`,
  reference: order.reference,
  createdAt: order.createdAt,
})
const cardRow = (order: Schemas['FiatOrder']): Row => ({
  id: order.order_key,
  kind: 'card',
  status: order.status,
  amount: cents(order.total_cents, order.currency),
  reference: order.merchant_reference,
  createdAt: order.created_at,
})

type ListOptions = { kind?: 'crypto' | 'card'; limit: number }

const addOrderList = (orders: Command, context: Context): void => {
  orders
    .command('list')
    .description("list a customer's orders, newest first")
    .argument('<customer>', 'customer id, pcu_…')
    .addOption(new Option('--kind <kind>', 'only this kind of order').choices(['crypto', 'card']))
    .addOption(limitOption())
    .addHelpText('after', '\nExample:\n  causeway orders list pcu_01m801ke2kfvnarpgmy7edev97 --kind card')
    .action(
      actWith<ListOptions>(context, async (session, { args: [customerId = ''], options, output }) => {
        const { kind, limit } = options
        const partner = session.partner()
        const crypto = kind === 'card' ? [] : await take(partner.listCryptoOrders.all({ customerId }), limit)
        const card = kind === 'crypto' ? [] : await take(partner.listFiatOrders.all({ customerId }), limit)
        const rows = [
          ...crypto.map((order) => ({ order, row: cryptoRow(order) })),
          ...card.map((order) => ({ order, row: cardRow(order) })),
        ]
          .sort((a, b) => b.row.createdAt.localeCompare(a.row.createdAt))
          .slice(0, limit)
        if (output.isJson) output.one(rows.map(({ order, row }) => ({ rail: RAILS[row.kind], ...order })))
        else
          output.list(
            COLUMNS,
            rows.map(({ row }) => row),
          )
      }),
    )
}

const addOrderShow = (orders: Command, context: Context): void => {
  orders
    .command('show')
    .description('show an order')
    .argument('<order>', 'id of a crypto order, ord_…, or order key of a card order')
    .addHelpText(
      'after',
      '\nExamples:\n  causeway orders show ord_01m801mgnde4dv5reab7agkq6w\n  causeway orders show 1001 --json',
    )
    .action(
      actWith(context, async (session, { args: [order = ''], output }) => {
        if (isCryptoOrder(order)) {
          const found = await session.partner().getCryptoOrder({ orderId: order })
          const { qrImage: _image, ...readable } = found.order
          output.one(output.isJson ? found.order : readable)
        } else output.one((await session.partner().getFiatOrder({ orderKey: order })).order)
      }),
    )
}

/** `causeway orders`. */
export const addOrders = (program: Command, context: Context): void => {
  const orders = program.command('orders').description('crypto orders and card orders')
  addOrderList(orders, context)
  addOrderShow(orders, context)
  addOrderCreate(orders, context)
  addOrderRefund(orders, context)
}
