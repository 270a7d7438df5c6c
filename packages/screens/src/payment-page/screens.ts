import { cryptoOrders, type PayableOrder } from '@causeway/contracts'
import type { Html } from '../design/index.ts'
import type { Answer, Ask, Screen, ScreenRequest } from '../screen.ts'
import { streamOrder } from './stream.ts'
import { orderPart, paymentPage, unknownPage } from './view.ts'
import { createOrderWatch } from './watch.ts'

export type PaymentPageOptions = Readonly<{
  /** Calls as the public, for the watch that all streams share. */
  ask: Ask
  now: () => Date
  /** Is told of reads that failed and are repeated. */
  onFailure: (error: unknown) => void
}>

const idOf = ({ params }: ScreenRequest): string => params['orderId'] ?? ''

const unknown = (): Answer => ({ kind: 'page', status: 404, html: unknownPage() })

/** Answers with what `show` makes of the order, or 404 where there is none. */
const withOrder =
  (show: (order: PayableOrder, request: ScreenRequest) => Answer) =>
  async (request: ScreenRequest): Promise<Answer> => {
    const reply = await request.ask(cryptoOrders.getByBuyer, { params: { orderId: idOf(request) } })
    if (reply.ok) return show(reply.value.order, request)
    if (reply.code === 'resource_not_found') return unknown()
    throw new Error(`The order of a payment page was refused: ${reply.code}`)
  }

/** The payment page of a crypto order, its changing part alone for polling, and the stream of its changes (decisions §22). */
export const paymentScreens = (options: PaymentPageOptions): readonly Screen[] => {
  const watch = createOrderWatch(options.ask, options.onFailure)
  const shownBy =
    (render: (order: PayableOrder, now: Date) => Html) =>
    (order: PayableOrder): Answer => ({ kind: 'page', status: 200, html: render(order, options.now()) })
  return [
    { method: 'GET', path: '/pay/:orderId', answer: withOrder(shownBy(paymentPage)) },
    { method: 'GET', path: '/pay/:orderId/state', answer: withOrder(shownBy(orderPart)) },
    {
      method: 'GET',
      path: '/pay/:orderId/events',
      answer: withOrder((order, { ask, lastEventId }) => ({
        kind: 'stream',
        run: streamOrder({ watch, ...options }, ask, order.id, lastEventId),
      })),
    },
  ]
}
