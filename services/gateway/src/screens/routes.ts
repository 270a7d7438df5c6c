import { call, newId, type Bus, type Clock, type Logger } from '@causeway/chassis'
import {
  consoleScreens,
  consoleUploads,
  FORM_TOKEN,
  paymentScreens,
  portalScreens,
  SIGN_IN_PATHS,
  type Answer,
  type Ask,
  type ConsoleOptions,
  type Screen,
  type ScreenRequest,
  type SessionScreen,
} from '@causeway/screens'
import { accentFile, SCREEN_FILES } from '@causeway/screens/design'
import { send, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { pageLanguage } from '../http/page-language.ts'
import type { PublicRoute } from '../http/public-path.ts'
import { parameterNames } from '@causeway/contracts/http'
import { createStaticDocument } from '../http/static-document.ts'
import { onboardingRoutes, type OnboardingRoutesOptions } from './onboarding.ts'
import { logoRoute, type LogoRouteOptions } from './logo-route.ts'
import { portalSignInRoutes, type PortalSignInOptions } from './portal-sign-in.ts'
import { createOpening, type OpeningOptions } from './opening.ts'
import { isFromElsewhere, readForm } from './posted-form.ts'
import { answerAs, findSession, isForged, staleForm } from './session.ts'
import { createSessionAsk, type SessionAsk, type SessionAskOptions } from './session-ask.ts'
import { sendAnswer } from './send-answer.ts'
import { uploadRoute, type UploadRouteOptions } from './upload-route.ts'

type AskOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

export type ScreenRoutesOptions = AskOptions &
  OpeningOptions &
  SessionAskOptions &
  ConsoleOptions &
  OnboardingRoutesOptions &
  UploadRouteOptions &
  LogoRouteOptions &
  PortalSignInOptions &
  Readonly<{ log: Logger }>

/** Calls operations for a screen that anybody may open. @param safe whether the request changes nothing */
const publicAsk =
  ({ bus, clock, timeoutMs }: AskOptions, requestId: string, safe: boolean): Ask =>
  (operation, input) =>
    call(bus, clock, operation, { ...input, caller: { kind: 'public' }, requestId, timeoutMs, safe })

/** Styles and scripts change with a release. */
const MAX_AGE_SECONDS = 300
const FILES = new Map(
  SCREEN_FILES.map(({ name, type, read }) => [
    name,
    createStaticDocument({ type, make: read, maxAgeSeconds: MAX_AGE_SECONDS }),
  ]),
)

const STYLE_TYPE = 'text/css; charset=utf-8'
const STYLE_CACHE = ['Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`] as const

/** The files that screens load, and the style sheets of accent colours. */
export const screenFileRoute: PublicRoute = {
  kind: 'public',
  method: 'GET',
  path: '/screens/:file',
  async handle(exchange, [name = '']) {
    const sendFile = FILES.get(name)
    const accent = sendFile === undefined ? accentFile(name) : null
    if (sendFile !== undefined) await sendFile(exchange)
    else if (accent === null) sendError(exchange, 'resource_not_found')
    else send(exchange, { status: 200, type: STYLE_TYPE, bytes: accent, headers: STYLE_CACHE })
  },
}

/** Screens of areas are answered for the session of the request, as its principal. */
const createSessionAnswer =
  (options: ScreenRoutesOptions, { askAs }: SessionAsk) =>
  async (exchange: Exchange, screen: SessionScreen, request: ScreenRequest): Promise<Answer> => {
    const { area, method } = screen
    const session = await findSession(options, exchange, area)
    if (session === null) return { kind: 'redirect', to: SIGN_IN_PATHS[area] }
    if (method === 'POST' && isForged(session, request.form.get(FORM_TOKEN))) return staleForm()
    return answerAs(askAs, session, (ask) => screen.answer({ ...request, ask, session }))
  }

/** Ends the session that a browser had when it signs out, or signs in again. */
const endFormerSession = async (exchange: Exchange, answer: Answer, options: ScreenRoutesOptions) => {
  if (answer.kind !== 'redirect' || answer.session === undefined) return
  const { area, opened } = answer.session
  const token = options.cookies.tokenOf(exchange.request, area)
  if (token !== null) await options.sessions.end(token, opened === null ? 'signed_out' : 'new_sign_in')
}

type SessionAnswer = ReturnType<typeof createSessionAnswer>

const createScreenHandler = (options: ScreenRoutesOptions, answerSession: SessionAnswer, screen: Screen) => {
  const { method, path } = screen
  const names = parameterNames(path)
  return async (exchange: Exchange, values: readonly string[]) => {
    if (method === 'POST' && isFromElsewhere(exchange.request)) {
      sendAnswer(exchange, staleForm(pageLanguage(exchange).tag), options)
      return
    }
    const form = method === 'POST' ? await readForm(exchange) : new URLSearchParams()
    if (form === null) return
    const request: ScreenRequest = {
      ask: publicAsk(options, exchange.requestId, method === 'GET'),
      params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
      query: new URLSearchParams(exchange.search),
      form,
      open: createOpening(options, exchange),
      language: pageLanguage(exchange),
      lastEventId: exchange.request.headers['last-event-id']?.toString() ?? null,
    }
    const answer = await (screen.area === null
      ? screen.answer(request)
      : answerSession(exchange, screen, request))
    await endFormerSession(exchange, answer, options)
    sendAnswer(exchange, answer, options)
  }
}

const toRoute = (
  options: ScreenRoutesOptions,
  answerSession: SessionAnswer,
  screen: Screen,
): PublicRoute => ({
  kind: 'public',
  method: screen.method,
  path: screen.path,
  handle: createScreenHandler(options, answerSession, screen),
})

/** Every screen (ADR 0066). They are for people: the API's documents do not list them. */
export const screenRoutes = (options: ScreenRoutesOptions): PublicRoute[] => {
  const { clock, log } = options
  const now = () => clock.now()
  const payment = paymentScreens({
    // Each call of the watch has a separate id: it belongs to many requests.
    ask: (operation, input) => publicAsk(options, newId('request'), true)(operation, input),
    now,
    findBrand: (partnerCustomerId) => options.findBrand({ partner_customer_id: partnerCustomerId }),
    onFailure: (error) =>
      log.warn(
        { event: 'screens.read_failed', error },
        'A read for open payment pages failed and is repeated',
      ),
  })
  const screens: readonly Screen[] = [...payment, ...portalScreens(now), ...consoleScreens(options, now)]
  const sessionAsk = createSessionAsk(options)
  const answerSession = createSessionAnswer(options, sessionAsk)
  return [
    ...screens.map((screen) => toRoute(options, answerSession, screen)),
    ...portalSignInRoutes(options),
    logoRoute(options, sessionAsk),
    ...consoleUploads.map((screen) => uploadRoute(options, sessionAsk, screen)),
    ...onboardingRoutes(options),
  ]
}
