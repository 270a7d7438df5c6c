import express, { type Response, Router } from 'express'
import { z } from 'zod'
import type { OnrampOrderRow, OnrampOrders } from './orders.ts'
import { screenHeaders } from '../screen-routes.ts'
import { ACTIONS, checkoutPage, isOpen, unknownOrderPage, type Action } from './page.ts'
import { OnrampRequest } from './request.ts'

/** Sends crypto on the simulated chain to an address. @returns the transaction's id, null where nobody watches it */
export type SendCrypto = (network: string, address: string, amount: string) => string | null

const FORM_LIMIT = '8kb'
const ActionForm = z.object({ action: z.enum(Object.keys(ACTIONS) as [Action, ...Action[]]) })

const requestOf = (order: OnrampOrderRow): OnrampRequest => OnrampRequest.parse(JSON.parse(order.request))

/** The checkout page of the onramp provider, for payers, below `/buy`. */
export const onrampPage = (orders: OnrampOrders, sendCrypto: SendCrypto): Router => {
  const routes = Router()

  const act = (order: OnrampOrderRow, action: Action): void => {
    switch (action) {
      case 'pay': {
        const { blockchain, address, crypto_amount: amount } = requestOf(order)
        const received = orders.setStatus(order, 'paymentReceived', null)
        const hash = sendCrypto(blockchain, address, amount)
        orders.setStatus(orders.setStatus(received, 'coinTransferred', hash), 'complete', hash)
        return
      }
      case 'verify':
        orders.setStatus(order, 'extraVerification', null)
        return
      case 'decline':
        orders.setStatus(order, 'declined', null)
        return
      case 'cancel':
        orders.setStatus(order, 'cancelled', null)
    }
  }
  const show = (response: Response, order: OnrampOrderRow | null): void => {
    if (order === null) response.status(404).type('html').send(unknownOrderPage())
    else response.type('html').send(checkoutPage(order, requestOf(order)))
  }

  routes.use(screenHeaders)
  routes.get(['/:orderId', '/:orderId/status'], (request, response) =>
    show(response, orders.byId(String(request.params['orderId']))),
  )
  routes.post(
    '/:orderId',
    express.urlencoded({ limit: FORM_LIMIT, extended: false }),
    (request, response) => {
      const order = orders.byId(request.params.orderId)
      const asked = ActionForm.safeParse(request.body)
      if (order === null) show(response, null)
      else {
        if (asked.success && isOpen(order.status)) act(order, asked.data.action)
        response.redirect(303, `/buy/${order.orderId}`)
      }
    },
  )
  return routes
}
