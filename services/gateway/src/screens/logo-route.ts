import { actorOf } from '@causeway/contracts'
import { FORM_TOKEN, logoUpload, SIGN_IN_PATHS } from '@causeway/screens'
import { abandon } from '../http/answer.ts'
import type { PublicRoute } from '../http/public-path.ts'
import type { ReceiveLogo } from '../uploads/logo-form.ts'
import { isFromElsewhere } from './posted-form.ts'
import { sendAnswer, sendEarlyAnswer, type Sending } from './send-answer.ts'
import { answerAs, findSession, isForged, staleForm, type FindSessionOptions } from './session.ts'
import type { SessionAsk } from './session-ask.ts'

export type LogoRouteOptions = Sending & FindSessionOptions & Readonly<{ receiveLogo: ReceiveLogo }>

/** The logo form of the portal. Its token is in the address: it is checked before a byte of the file is read. */
export const logoRoute = (options: LogoRouteOptions, { askAs }: SessionAsk): PublicRoute => ({
  kind: 'public',
  method: 'POST',
  path: logoUpload.path,
  async handle(exchange) {
    if (isFromElsewhere(exchange.request)) {
      sendEarlyAnswer(exchange, staleForm())
      return
    }
    const session = await findSession(options, exchange, 'portal')
    if (session === null) {
      sendEarlyAnswer(exchange, { kind: 'redirect', to: SIGN_IN_PATHS.portal })
      return
    }
    if (isForged(session, new URLSearchParams(exchange.search).get(FORM_TOKEN))) {
      sendEarlyAnswer(exchange, staleForm())
      return
    }
    const received = await options.receiveLogo(exchange.request, actorOf(session.principal))
    if (received === null) {
      abandon(exchange)
      return
    }
    if (typeof received === 'string') {
      sendEarlyAnswer(exchange, { kind: 'error', code: received })
      return
    }
    const answer = await answerAs(askAs, session, (ask) => logoUpload.answer({ ask, session }, received))
    if (!received.ok && answer.kind === 'page') sendEarlyAnswer(exchange, answer)
    else sendAnswer(exchange, answer, options)
  },
})
