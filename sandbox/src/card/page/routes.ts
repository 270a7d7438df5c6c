import type { Clock } from '@causeway/chassis'
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import type { Payments } from '../payments.ts'
import type { CallbackClient } from '../../http/callback-client.ts'
import type { Payment } from '../rows.ts'
import { createCharge, redirectPayer } from './charge.ts'
import { EMPTY_FORM, isCorrectCode, readCardForm } from './form.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { STYLE } from './style.ts'
import { cardPage, challengePage, endPage, notFoundPage } from './views.ts'

const FORM_LIMIT = '8kb'
const DECLINED = 'The card was declined. Nothing was charged. Try another card.'

const readForm = express.urlencoded({ limit: FORM_LIMIT, extended: false })

const payerIpOf = (request: Request): string | null =>
  request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? null

const found = (response: Response): Payment => response.locals['payment'] as Payment
const isOpen = ({ status }: Payment): boolean => status === 'new'
const isChallenged = (payment: Payment): boolean => isOpen(payment) && payment.challengesLeft > 0

/** Finds the payment by the token in the path, or answers 404 with a page. */
const createFind =
  (payments: Payments) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const payment = payments.byToken(String(request.params['token']))
    setSecurityHeaders(response, payment)
    if (payment === null) {
      response.status(404).send(notFoundPage())
      return
    }
    response.locals['payment'] = payment
    next()
  }

/** The hosted card page. It stores no card number. */
export const pageRoutes = (parts: {
  payments: Payments
  callbacks: CallbackClient
  clock: Clock
}): Router => {
  const { payments, clock } = parts
  const charge = createCharge(parts)
  const find = createFind(payments)
  const routes = Router()

  const pay = async (request: Request, response: Response): Promise<void> => {
    const opened = found(response)
    if (!isOpen(opened)) {
      redirectPayer(response, opened, null)
      return
    }
    const entry = readCardForm(request.body, clock.now())
    if (!entry.ok) {
      response.status(422).send(cardPage(opened, entry))
      return
    }
    const { behaviour, form, email } = entry
    const payment = payments.setPayer(opened, { ip: payerIpOf(request), email })
    switch (behaviour) {
      case 'declined':
        response.status(402).send(cardPage(payment, { form, message: DECLINED }))
        return
      case 'cancelled':
        redirectPayer(response, payments.setStatus(payment, 'cancelled'), payment.failureUrl)
        return
      case 'challenged':
        payments.startChallenge(payment)
        response.redirect(303, `/pay/${payment.pageToken}/challenge`)
        return
      case 'pays':
      case 'disputed':
        await charge(response, { payment, form, disputed: behaviour === 'disputed' })
    }
  }

  const answerChallenge = async (request: Request, response: Response): Promise<void> => {
    const payment = found(response)
    const form = { ...EMPTY_FORM, email: payment.payerEmail ?? '' }
    if (!isChallenged(payment)) redirectPayer(response, payment, null)
    else if (isCorrectCode(request.body)) await charge(response, { payment, form, disputed: false })
    else {
      const left = payments.countFailedChallenge(payment)
      if (left > 0) response.status(422).send(challengePage(payment, left))
      else response.status(402).send(cardPage(payment, { form, message: DECLINED }))
    }
  }

  routes.get('/page.css', (_request, response) => {
    response.type('css').set('cache-control', 'max-age=300').send(STYLE)
  })
  routes.get('/:token', find, (_request, response) => {
    const payment = found(response)
    if (payment.status !== 'new') response.send(endPage(payment, payment.status))
    else response.send(cardPage(payment, { form: { ...EMPTY_FORM, email: payment.payerEmail ?? '' } }))
  })
  routes.post('/:token', find, readForm, pay)
  routes.get('/:token/challenge', find, (_request, response) => {
    const payment = found(response)
    if (isChallenged(payment)) response.send(challengePage(payment, null))
    else redirectPayer(response, payment, null)
  })
  routes.post('/:token/challenge', find, readForm, answerChallenge)
  return routes
}
