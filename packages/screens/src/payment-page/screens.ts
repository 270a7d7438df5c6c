import { cryptoOrders, onrampOrders, type PayableOrder } from '@causeway/contracts'
import { html, notice, page, type Html, type PageBrand } from '../design/index.ts'
import { publicScreen, type Answer, type Ask, type PublicScreen, type ScreenRequest } from '../screen.ts'
import { readOffer } from './purchase.ts'
import { streamOrder } from './stream.ts'
import { orderPart, paymentPage, unknownPage } from './view.ts'
import { createOrderWatch } from './watch.ts'

export type PaymentPageOptions = Readonly<{
  /** Calls operations without a caller, for the watch that all streams share. */
  ask: Ask
  now: () => Date
  /** Reads the brand that the page of an order of a relationship shows; never fails. */
  findBrand: (partnerCustomerId: string) => Promise<PageBrand>
  /** Called for each failed read; the read is retried. */
  onFailure: (error: unknown) => void
}>

const idOf = ({ params }: ScreenRequest): string => params['orderId'] ?? ''

const unknown = (): Answer => ({ kind: 'page', status: 404, html: unknownPage() })

/** Calls `show` with the order, or answers 404 if it does not exist. */
const withOrder =
  (
    show: (order: PayableOrder, request: ScreenRequest, brandedBy: string | null) => Answer | Promise<Answer>,
  ) =>
  async (request: ScreenRequest): Promise<Answer> => {
    const reply = await request.ask(cryptoOrders.getByBuyer, { params: { orderId: idOf(request) } })
    if (reply.ok) return show(reply.value.order, request, reply.value.branded_by ?? null)
    if (reply.code === 'resource_not_found') return unknown()
    return { kind: 'error', code: reply.code }
  }

const noPurchasePage = (orderId: string): Html =>
  page({
    title: 'The purchase could not be started',
    brand: 'Payment',
    width: 'narrow',
    main: html`<h1>The purchase could not be started</h1>
      ${notice(
        'bad',
        'The provider is currently unavailable.',
        html`You were not charged. <a href="/pay/${orderId}">Go back to the payment</a>, then try again in a
          moment or send crypto from a wallet.`,
      )}`,
  })

/** Opens a purchase at the provider. The page then links to it: the content security policy forbids a redirect. */
const openPurchase = async (request: ScreenRequest): Promise<Answer> => {
  const orderId = idOf(request)
  const reply = await request.ask(onrampOrders.createByBuyer, { params: { orderId } })
  // The order was paid, expired or cancelled in the meantime; its page shows the state.
  if (reply.ok || reply.code === 'invalid_state') return { kind: 'redirect', to: `/pay/${orderId}` }
  if (reply.code === 'resource_not_found') return unknown()
  return { kind: 'page', status: 503, html: noPurchasePage(orderId) }
}

/** The payment page of a crypto order, its changing part for polling, and the stream of its changes (decisions §22). */
export const paymentScreens = (options: PaymentPageOptions): readonly PublicScreen[] => {
  const watch = createOrderWatch(options.ask, options.onFailure)
  const showPage = withOrder(async (order, { ask }, brandedBy) => {
    const [offer, brand] = await Promise.all([
      readOffer(ask, order),
      brandedBy === null ? null : options.findBrand(brandedBy),
    ])
    return { kind: 'page', status: 200, html: paymentPage(order, offer, brand, options.now()) }
  })
  const showState = withOrder(async (order, { ask }) => ({
    kind: 'page',
    status: 200,
    html: orderPart(order, await readOffer(ask, order), options.now()),
  }))
  return [
    publicScreen({ method: 'GET', path: '/pay/:orderId', answer: showPage }),
    publicScreen({ method: 'GET', path: '/pay/:orderId/state', answer: showState }),
    publicScreen({ method: 'POST', path: '/pay/:orderId/purchase', answer: openPurchase }),
    publicScreen({
      method: 'GET',
      path: '/pay/:orderId/events',
      answer: withOrder((order, { ask, lastEventId }) => ({
        kind: 'stream',
        run: streamOrder({ watch, ...options }, ask, order.id, lastEventId),
      })),
    }),
  ]
}
