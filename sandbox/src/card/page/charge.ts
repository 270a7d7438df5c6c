import type { Clock } from '@causeway/chassis'
import type { Response } from 'express'
import { requestAuthorization } from '../authorization.ts'
import type { Payments } from '../payments.ts'
import type { CallbackClient } from '../../http/callback-client.ts'
import type { Payment } from '../rows.ts'
import { literalOriginOf } from './security-headers.ts'
import type { CardForm } from './form.ts'
import { DISPUTE_AFTER_MS } from './test-cards.ts'
import { cardPage, endPage } from './views.ts'

const UNAVAILABLE = 'The payment cannot be made right now. Nothing was charged. Try again in a moment.'

/** Redirects the payer to the merchant, or without a URL to the page that shows the result. */
export const redirectPayer = (response: Response, payment: Payment, url: string | null): void => {
  const isNamed = url !== null && literalOriginOf(url) !== null
  response.redirect(303, isNamed ? url : `/pay/${payment.pageToken}`)
}

type Attempt = Readonly<{
  payment: Payment
  /** The entered values, in case the form is shown again. */
  form: CardForm
  /** True if the cardholder will dispute the payment. */
  disputed: boolean
}>

/** Charges the payment if the platform authorizes it. */
export const createCharge =
  ({ payments, callbacks, clock }: { payments: Payments; callbacks: CallbackClient; clock: Clock }) =>
  async (response: Response, { payment: asked, form, disputed }: Attempt): Promise<void> => {
    const answer = await requestAuthorization(callbacks, asked, {
      ip: asked.payerIp,
      email: asked.payerEmail,
    })
    const payment = payments.byId(asked.paymentId) ?? asked
    if (answer === 'blocked') {
      response.status(403).send(endPage(payment, 'blocked'))
      return
    }
    if (answer === 'unavailable') {
      response.status(503).send(cardPage(payment, { form, message: UNAVAILABLE }))
      return
    }
    // Another request may have ended the payment while the authorization was pending.
    if (payment.status === 'new') {
      payments.setStatus(payment, 'completed')
      if (disputed) payments.disputeAt(payment, clock.nowMs() + DISPUTE_AFTER_MS)
    }
    redirectPayer(response, payment, payment.returnUrl)
  }
