import { actorOf } from '@causeway/contracts'
import { FORM_TOKEN, SIGN_IN_PATHS, type Area, type Session, type UploadScreen } from '@causeway/screens'
import { abandon } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/public-path.ts'
import type { ReceiveImportForm } from '../uploads/import-form.ts'
import { isFromElsewhere } from './posted-form.ts'
import { sendAnswer, sendEarlyAnswer, type EarlyAnswer, type Sending } from './send-answer.ts'
import { answerAs, findSession, isForged, staleForm, type FindSessionOptions } from './session.ts'
import type { SessionAsk } from './session-ask.ts'

export type UploadRouteOptions = Sending &
  FindSessionOptions &
  Readonly<{ receiveImportForm: ReceiveImportForm }>

const AREA: Area = 'console'

type Admitted = Readonly<{ session: Session; callerJson: string }>

/** Checks origin, session, form token and role before a byte of the file is read. @returns the answer to refused ones */
const admit = async (
  options: UploadRouteOptions,
  { checkUpload }: SessionAsk,
  { operation }: UploadScreen,
  exchange: Exchange,
): Promise<Admitted | EarlyAnswer> => {
  if (isFromElsewhere(exchange.request)) return staleForm()
  const session = await findSession(options, exchange, AREA)
  if (session === null) return { kind: 'redirect', to: SIGN_IN_PATHS[AREA] }
  if (isForged(session, new URLSearchParams(exchange.search).get(FORM_TOKEN))) return staleForm()
  const check = await checkUpload(session.principal, operation)
  return check.ok ? { session, callerJson: check.callerJson } : { kind: 'error', code: check.code }
}

/** A form with a file in the console. Its token is in the address: it is checked before a byte of the file is read. */
export const uploadRoute = (
  options: UploadRouteOptions,
  sessionAsk: SessionAsk,
  screen: UploadScreen,
): PublicRoute => ({
  kind: 'public',
  method: 'POST',
  path: screen.path,
  async handle(exchange) {
    const admitted = await admit(options, sessionAsk, screen, exchange)
    if ('kind' in admitted) {
      sendEarlyAnswer(exchange, admitted)
      return
    }
    const { session, callerJson } = admitted
    const { requestId } = exchange
    const client = actorOf(session.principal)
    const received = await options.receiveImportForm(exchange, { client, callerJson, requestId })
    if (received === null) {
      abandon(exchange)
      return
    }
    const { fields: form, uploaded, isEarly } = received
    const answer = await answerAs(sessionAsk.askAs, session, (ask) =>
      screen.answer({ ask, session, form }, uploaded),
    )
    if (isEarly && (answer.kind === 'page' || answer.kind === 'error')) sendEarlyAnswer(exchange, answer)
    else sendAnswer(exchange, answer, options)
  },
})
