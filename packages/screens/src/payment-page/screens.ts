import { cryptoOrders, idKindOf, onrampOrders, type PayableOrder } from '@causeway/contracts'
import { html, inLanguage, notice, page, type Html, type PageBrand } from '../design/index.ts'
import { loadLanguage, type Language } from '../languages/language.ts'
import { publicScreen, type Answer, type Ask, type PublicScreen, type ScreenRequest } from '../screen.ts'
import { showCardOrder } from './card-order.ts'
import { readOffer } from './purchase.ts'
import { streamOrder } from './stream.ts'
import { orderPart, pathOf, paymentPage, unknownPage } from './view.ts'
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

const unknown = async (request: ScreenRequest): Promise<Answer> => ({
  kind: 'page',
  status: 404,
  html: unknownPage(idOf(request), await loadLanguage(request.language.tag)),
})

/** An order to show. */
type Shown = Readonly<{
  order: PayableOrder
  request: ScreenRequest
  language: Language
  brandedBy: string | null
}>

/** Calls `show` with the order, or answers 404 if it does not exist. */
const withOrder =
  (show: (shown: Shown) => Answer | Promise<Answer>) =>
  async (request: ScreenRequest): Promise<Answer> => {
    const [reply, language] = await Promise.all([
      request.ask(cryptoOrders.getByBuyer, { params: { orderId: idOf(request) } }),
      loadLanguage(request.language.tag),
    ])
    if (reply.ok) {
      const { order, branded_by: brandedBy } = reply.value
      return show({ order, request, language, brandedBy: brandedBy ?? null })
    }
    if (reply.code === 'resource_not_found') return unknown(request)
    return { kind: 'error', code: reply.code }
  }

const noPurchasePage = (orderId: string, language: Language): Html => {
  const { text, rich, tag } = language
  const path = pathOf(orderId)
  return page({
    title: text('pay.buy.unavailable'),
    brand: text('pay.brand'),
    width: 'narrow',
    language,
    url: path,
    main: html`<h1>${text('pay.buy.unavailable')}</h1>
      ${notice(
        'bad',
        text('pay.buy.unavailable.what'),
        rich('pay.buy.unavailable.advice', {
          link: (content) => html`<a href="${inLanguage(path, tag)}">${content}</a>`,
        }),
      )}`,
  })
}

/** Opens a purchase at the provider. The page then links to it: the content security policy forbids a redirect. */
const openPurchase = async (request: ScreenRequest): Promise<Answer> => {
  const orderId = idOf(request)
  const { tag } = request.language
  const reply = await request.ask(onrampOrders.createByBuyer, { params: { orderId } })
  // The order was paid, expired or cancelled in the meantime; its page shows the state.
  if (reply.ok || reply.code === 'invalid_state')
    return { kind: 'redirect', to: inLanguage(pathOf(orderId), tag) }
  if (reply.code === 'resource_not_found') return unknown(request)
  return { kind: 'page', status: 503, html: noPurchasePage(orderId, await loadLanguage(tag)) }
}

/** The payment page of an order; of a crypto order also its changing part for polling, and the stream of its changes (decisions §22). */
export const paymentScreens = (options: PaymentPageOptions): readonly PublicScreen[] => {
  const watch = createOrderWatch(options.ask, options.onFailure)
  const showCryptoOrder = withOrder(async ({ order, request: { ask }, language, brandedBy }) => {
    const [offer, brand] = await Promise.all([
      readOffer(ask, order),
      brandedBy === null ? null : options.findBrand(brandedBy),
    ])
    return { kind: 'page', status: 200, html: paymentPage(order, offer, brand, language, options.now()) }
  })
  const showPage = (request: ScreenRequest): Promise<Answer> => {
    const orderId = idOf(request)
    return idKindOf(orderId) === 'fiatOrder'
      ? showCardOrder(request, orderId, options.findBrand)
      : showCryptoOrder(request)
  }
  const showState = withOrder(async ({ order, request: { ask }, language }) => ({
    kind: 'page',
    status: 200,
    html: orderPart(order, await readOffer(ask, order), language, options.now()),
  }))
  return [
    publicScreen({ method: 'GET', path: '/pay/:orderId', answer: showPage }),
    publicScreen({ method: 'GET', path: '/pay/:orderId/state', answer: showState }),
    publicScreen({ method: 'POST', path: '/pay/:orderId/purchase', answer: openPurchase }),
    publicScreen({
      method: 'GET',
      path: '/pay/:orderId/events',
      answer: withOrder(({ order, request: { ask, lastEventId }, language }) => ({
        kind: 'stream',
        run: streamOrder({ watch, ...options }, { ask, orderId: order.id, language, lastEventId }),
      })),
    }),
  ]
}
