import type { Clock } from '@causeway/chassis'
import type { Response } from 'express'
import { askToCharge } from '../authorization.ts'
import type { Payments } from '../payments.ts'
import type { Posts } from '../posts.ts'
import type { Payment } from '../rows.ts'
import type { CardForm } from './form.ts'
import { DISPUTE_AFTER_MS } from './test-cards.ts'
import { cardPage, endPage } from './views.ts'

const UNAVAILABLE = 'The payment cannot be made right now. Nothing was charged. Try again in a moment.'

/** Sends the payer on; without an address, to the page that says how it ended. */
export const leave = (response: Response, payment: Payment, url: string | null): void =>
  response.redirect(303, url ?? `/pay/${payment.pageToken}`)

type Attempt = Readonly<{
  payment: Payment
  /** What was typed, should it have to be shown again. */
  form: CardForm
  /** Whether the cardholder will dispute it. */
  disputed: boolean
}>

/** Charges when the platform allows it. */
export const createCharge =
  ({ payments, posts, clock }: { payments: Payments; posts: Posts; clock: Clock }) =>
  async (response: Response, { payment: asked, form, disputed }: Attempt): Promise<void> => {
    const answer = await askToCharge(posts, asked, { ip: asked.payerIp, email: asked.payerEmail })
    const payment = payments.byId(asked.paymentId) ?? asked
    if (answer === 'blocked') {
      response.status(403).send(endPage(payment, 'blocked'))
      return
    }
    if (answer === 'unavailable') {
      response.status(503).send(cardPage(payment, { form, message: UNAVAILABLE }))
      return
    }
    // While the platform was asked, another page or call may have ended it.
    if (payment.status === 'new') {
      payments.setStatus(payment, 'completed')
      if (disputed) payments.disputeAt(payment, clock.nowMs() + DISPUTE_AFTER_MS)
    }
    leave(response, payment, payment.returnUrl)
  }
