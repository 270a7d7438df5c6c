import { call, equalInConstantTime, newId } from '@causeway/chassis'
import { Document, onboardingLinks } from '@causeway/contracts'
import {
  endedLinkPage,
  FORM_TOKEN,
  loadLanguage,
  onboardingScreens,
  onboardingUploads,
  type OnboardingRequest,
  type OnboardingScreen,
  type OnboardingUpload,
} from '@causeway/screens'
import { z } from 'zod'
import { abandon, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { pageLanguage } from '../http/page-language.ts'
import type { PublicRoute } from '../http/public-path.ts'
import { parameterNames } from '@causeway/contracts/http'
import type { FindBrand } from '../clients/brands.ts'
import type { AccessClient } from '../clients/access.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import type { UploadOutcome, Uploads } from '../uploads/upload.ts'
import { callerOf, onboardingAsk, type OpenedLink } from './onboarding-ask.ts'
import { sendOnboardingFile, type OnboardingFileOptions } from './onboarding-file.ts'
import { isFromElsewhere, readForm } from './posted-form.ts'
import { staleForm } from './session.ts'
import { sendAnswer, sendEarlyAnswer, type Sending } from './send-answer.ts'
import { formTokenOf } from '../auth/session-cookie.ts'
import { createTurns } from './turns.ts'

export type OnboardingRoutesOptions = OnboardingFileOptions &
  Sending &
  Readonly<{
    findPartner: AccessClient['findPartner']
    findBrand: FindBrand
    guesses: GuessLimit
    security: SecurityLog
    callerAddress: (request: Exchange['request']) => string
    uploads: Uploads
  }>

const PREFIX = '/onboarding/:token'
const USER_AGENT_LENGTH = 300

/** Finds what a token opens now. A disabled partner's link opens nothing, as its credentials do. */
const findLink = async (
  { bus, clock, timeoutMs, findPartner, findBrand }: OnboardingRoutesOptions,
  requestId: string,
  token: string,
): Promise<OpenedLink | null> => {
  const found = await call(bus, clock, onboardingLinks.open, {
    params: { token },
    caller: { kind: 'public' },
    requestId,
    timeoutMs,
    safe: true,
  })
  if (!found.ok) {
    if (found.code === 'resource_not_found') return null
    throw new Error(`A link could not be looked up: ${found.code}`)
  }
  const { onboarding_link_id, partner_id: partnerId, partner_customer_id, return_url } = found.value
  const [partner, brand] = await Promise.all([findPartner(partnerId), findBrand({ partner_id: partnerId })])
  if (partner?.status !== 'active') return null
  return {
    onboardingLinkId: onboarding_link_id,
    partnerId,
    partnerName: brand?.name ?? partner.name,
    brand,
    customerId: partner_customer_id,
    returnUrl: return_url,
  }
}

/** Opens the link of a request; null when it opens nothing and the answer has been sent. */
const openLink = async (
  options: OnboardingRoutesOptions,
  exchange: Exchange,
  token: string,
): Promise<OpenedLink | null> => {
  const link = await findLink(options, exchange.requestId, token)
  if (link !== null) {
    exchange.client = link.onboardingLinkId
    return link
  }
  const retryAfter = options.guesses.recordFailure(exchange.request)
  options.security.refused(exchange, {
    kind: 'onboarding_link',
    reason: 'unknown',
    limited: retryAfter !== null,
  })
  const { tag } = pageLanguage(exchange)
  if (retryAfter === null)
    sendEarlyAnswer(exchange, { kind: 'page', status: 404, html: endedLinkPage(tag, exchange.path) })
  else sendError(exchange, 'rate_limited', undefined, ['Retry-After', retryAfter])
  return null
}

/** Makes the request that a screen sees under a link. */
const requestOf = async (
  options: OnboardingRoutesOptions,
  exchange: Exchange,
  link: OpenedLink,
  [names, values]: readonly [readonly string[], readonly string[]],
): Promise<Omit<OnboardingRequest, 'form'>> => {
  const params: Record<string, string> = Object.fromEntries(
    names.map((name, index) => [name, values[index] ?? '']),
  )
  const token = params['token'] ?? ''
  const { requestId, request } = exchange
  const { tag, isInUrl } = pageLanguage(exchange)
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH)
  return {
    // A separate id for each call: logs and traces then distinguish the changes of several calls.
    ask: (operation, input) => onboardingAsk(options, link, newId('request'))(operation, input),
    link: { ...link, path: `/onboarding/${token}` },
    params,
    query: new URLSearchParams(exchange.search),
    formToken: formTokenOf(token),
    evidence: {
      onboarding_link_id: link.onboardingLinkId,
      request_id: requestId,
      address: options.callerAddress(request),
      ...(userAgent !== undefined && { user_agent: userAgent }),
    },
    language: await loadLanguage(tag),
    isLanguageInUrl: isInUrl,
    // The form of a requirement's file has no page under its own path.
    pagePath: exchange.path.replace(/\/document$/, ''),
    now: options.clock.now(),
  }
}

const isForged = (given: string | null, { formToken }: Pick<OnboardingRequest, 'formToken'>): boolean =>
  !equalInConstantTime(given ?? '', formToken)

type InTurn = ReturnType<typeof createTurns>

const screenRoute = (
  options: OnboardingRoutesOptions,
  inTurn: InTurn,
  screen: OnboardingScreen,
): PublicRoute => {
  const { method } = screen
  const path = `${PREFIX}${screen.path}`
  const names = parameterNames(path)
  return {
    kind: 'public',
    method,
    path,
    async handle(exchange, values) {
      const link = await openLink(options, exchange, values[0] ?? '')
      if (link === null) return
      const form = method === 'POST' ? await readForm(exchange) : new URLSearchParams()
      if (form === null) return
      const request = { ...(await requestOf(options, exchange, link, [names, values])), form }
      const refused =
        method === 'POST' && (isFromElsewhere(exchange.request) || isForged(form.get(FORM_TOKEN), request))
      const answer = async () => {
        if (refused) return staleForm(pageLanguage(exchange).tag)
        return method === 'POST'
          ? inTurn(link.customerId, () => screen.answer(request))
          : screen.answer(request)
      }
      sendAnswer(exchange, await answer(), options)
    },
  }
}

const uploadedOf = (outcome: UploadOutcome) =>
  outcome.ok
    ? {
        ok: true as const,
        value: z.object({ document: Document }).parse(JSON.parse(Buffer.from(outcome.data).toString('utf8'))),
      }
    : { ok: false as const, code: outcome.code, ...(outcome.details && { details: outcome.details }) }

/** The form's token is in the address: it is checked before a byte of the file is read. */
const uploadRoute = (options: OnboardingRoutesOptions, screen: OnboardingUpload): PublicRoute => {
  const path = `${PREFIX}${screen.path}`
  const names = parameterNames(path)
  return {
    kind: 'public',
    method: 'POST',
    path,
    async handle(exchange, values) {
      const link = await openLink(options, exchange, values[0] ?? '')
      if (link === null) return
      const request = {
        ...(await requestOf(options, exchange, link, [names, values])),
        form: new URLSearchParams(),
      }
      if (isFromElsewhere(exchange.request) || isForged(request.query.get(FORM_TOKEN), request)) {
        sendEarlyAnswer(exchange, staleForm(pageLanguage(exchange).tag))
        return
      }
      const outcome = await options.uploads(exchange, {
        client: link.onboardingLinkId,
        callerJson: JSON.stringify(callerOf(link)),
        requestId: exchange.requestId,
        paramsJson: JSON.stringify({ customerId: link.customerId }),
      })
      if (outcome === null) {
        abandon(exchange)
        return
      }
      const answer = await screen.answer(request, uploadedOf(outcome))
      if (answer.kind === 'page' && !outcome.ok && outcome.isEarly)
        sendEarlyAnswer(exchange, answer, outcome.headers)
      else sendAnswer(exchange, answer, options)
    },
  }
}

const fileRoute = (options: OnboardingRoutesOptions): PublicRoute => {
  const path = `${PREFIX}/documents/:documentId/file`
  const names = parameterNames(path)
  return {
    kind: 'public',
    method: 'GET',
    path,
    async handle(exchange, values) {
      const link = await openLink(options, exchange, values[0] ?? '')
      if (link === null) return
      await sendOnboardingFile(
        options,
        exchange,
        link,
        await requestOf(options, exchange, link, [names, values]),
      )
    },
  }
}

/** The hosted onboarding (decisions §22): the holder of a link's address acts for its customer only. */
export const onboardingRoutes = (options: OnboardingRoutesOptions): PublicRoute[] => {
  const inTurn = createTurns()
  return [
    ...onboardingScreens().map((screen) => screenRoute(options, inTurn, screen)),
    ...onboardingUploads().map((screen) => uploadRoute(options, screen)),
    fileRoute(options),
  ]
}
