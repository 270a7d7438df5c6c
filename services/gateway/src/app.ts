import { createActionLog, operatorActorOf } from '@causeway/chassis'
import type { ConsoleOptions } from '@causeway/screens'
import type { Express } from 'express'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createGuessLimit } from './rate-limits/guess-limit.ts'
import { createMerchantAuthentication } from './auth/merchant-keys.ts'
import { createNoticeSenders } from './rate-limits/notice-senders.ts'
import { createStaffAuthentication } from './auth/staff-keys.ts'
import { createRealms } from './auth/realms.ts'
import { createSecurityLog } from './auth/security-log.ts'
import { createTokenCache } from './auth/token-cache.ts'
import { createTokenClients } from './auth/token-clients.ts'
import { rateLimitHeaders } from './rate-limits/answers.ts'
import { createBuckets, type Buckets } from './rate-limits/token-bucket.ts'
import { createFindBrand, createReadLogo } from './clients/brands.ts'
import type { GatewayConfig } from './config.ts'
import { createDispatcher } from './dispatch/dispatch.ts'
import type { GatewayContext } from './context.ts'
import { createBadRequestAnswer } from './http/bad-request.ts'
import { createHostRule } from './http/console-host.ts'
import { callerAddress, clientAddress, loggedNetwork } from './http/client-address.ts'
import { createObserver } from './http/observer.ts'
import { faultOf } from './http/request-fault.ts'
import { createAttemptCookie } from './routes/attempt-cookie.ts'
import { createBrowserCookie } from './auth/browser-cookie.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { createOverloadBound } from './pipeline/overload.ts'
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts'
import { referenceDocuments } from './reference/documents.ts'
import { callbackRoutes, type CallbackRoutesOptions } from './routes/callbacks.ts'
import { createEventStreams } from './screens/event-stream.ts'
import { createSessionCookies } from './auth/session-cookie.ts'
import { screenFileRoute, screenRoutes, type ScreenRoutesOptions } from './screens/routes.ts'
import { createShowHome } from './routes/home.ts'
import { fileRoutes } from './routes/files.ts'
import { publicRoutes } from './routes/public.ts'
import { mountAreas, type OpenArea } from './routes/areas.ts'
import { operationRoutes } from '@causeway/contracts/http'
import { tokenRoutes, type TokenRoutesOptions } from './routes/tokens.ts'
import { createImportReceiver, createImportStore } from './uploads/import-file.ts'
import { createImportForms } from './uploads/import-form.ts'
import { createLogoForms } from './uploads/logo-form.ts'
import { createUpload, createUploads } from './uploads/upload.ts'

/** Most callers of one kind whose rate limits are kept in memory. */
const BUCKETS = 100_000

/** The gateway's interface for the HTTP server: the handlers of requests, and the number of requests in flight. */
export type App = Readonly<{
  handle: RequestListener
  answerBadRequest: ReturnType<typeof createBadRequestAnswer>
  inFlight: () => number
  close: () => void
}>

type ScreensShared = Omit<
  ScreenRoutesOptions,
  | 'bus'
  | 'blobs'
  | 'findPartner'
  | 'findBrand'
  | 'readLogo'
  | 'receiveLogo'
  | 'clock'
  | 'log'
  | 'timeoutMs'
  | 'sessions'
  | 'portalPeople'
  | 'browserCookie'
  | 'cookies'
  | 'onlyActor'
  | keyof ConsoleOptions
>

/** The screens, and the way to the identity provider of the staff where there is one. */
const createScreenRoutes = (context: GatewayContext, config: GatewayConfig, shared: ScreensShared) => {
  const { access, sessions, portalPeople, bus, blobs, clock, log, getReadiness: getHealth } = context
  const { publicBaseUrl, busTimeoutMs: timeoutMs } = config
  const { findPartner } = access
  const consoleUrl = config.consoleBaseUrl ?? publicBaseUrl
  const cookies = createSessionCookies({ console: consoleUrl, portal: publicBaseUrl })
  const hasProvider = config.hasSignInProvider
  const onlyActor = hasProvider ? operatorActorOf(config.operatorKey) : null
  const options = {
    ...shared,
    findPartner,
    findBrand: createFindBrand({ bus, clock, log, timeoutMs }),
    readLogo: createReadLogo({ bus, clock, log, timeoutMs }),
    receiveLogo: createLogoForms(),
    bus,
    blobs,
    clock,
    log,
    timeoutMs,
    sessions,
    portalPeople,
    browserCookie: createBrowserCookie(publicBaseUrl),
    cookies,
    getHealth,
    hasProvider,
    hasFourEyes: config.fourEyes.size > 0,
    onlyActor,
  }
  if (!hasProvider) return screenRoutes(options)
  const attemptCookie = createAttemptCookie(consoleUrl)
  return [...screenRoutes(options), ...signInRoutes({ ...options, access, attemptCookie })]
}

/** The areas that need no credential of the API, at their paths. */
const createOpenAreas = (
  context: GatewayContext,
  config: GatewayConfig,
  shared: Pick<TokenRoutesOptions, 'buckets' | 'guesses' | 'callerAddress' | 'security'> &
    Pick<CallbackRoutesOptions, 'senders'> &
    ScreensShared,
): readonly OpenArea[] => {
  const { access, changes, signingKeys, bus, clock, blobs, getReadiness } = context
  const { publicBaseUrl: baseUrl, busTimeoutMs: timeoutMs } = config
  const tokens = { ...shared, access, signingKeys, refreshChanges: changes.refresh, clock, baseUrl }
  const programs = { showsPages: false }
  const platform = { getReadiness, documents: referenceDocuments(baseUrl) }
  return [
    { ...programs, at: ['/api/oauth', '/.well-known'], routes: tokenRoutes(tokens) },
    { ...programs, at: ['/api/callbacks'], routes: callbackRoutes({ ...shared, bus, clock, timeoutMs }) },
    {
      at: ['/console', '/portal', '/onboarding', '/pay'],
      routes: createScreenRoutes(context, config, shared),
      showsPages: true,
    },
    { ...programs, at: ['/screens'], routes: [screenFileRoute] },
    {
      ...programs,
      at: ['/qr', '/agreements', '/logos', '/downloads'],
      routes: fileRoutes({ bus, clock, timeoutMs, blobs }),
    },
    {
      ...programs,
      at: ['/docs', '/openapi.json', '/openapi.operator.json', '/healthz', '/readyz'],
      routes: publicRoutes(platform),
    },
  ]
}

/** Passes HTTP requests to the areas, and refuses invalid ones. */
const createHandler =
  (pipeline: Pipeline, app: Express): RequestListener =>
  (request, response) => {
    const fault = faultOf(request)
    if (fault === null) pipeline.receive(request, response, app)
    else pipeline.refuse(request, response, fault)
  }

/** The realms of the API, whose credentials end on every replica when one changes them. */
const createCredentials = (context: GatewayContext, config: GatewayConfig, clients: Buckets) => {
  const { access, changes, signingKeys, clock } = context
  const tokenClients = createTokenClients(access)
  const tokens = createTokenCache({
    signingKeys,
    clients: tokenClients,
    clock,
    buckets: clients,
    issuer: config.publicBaseUrl,
  })
  const buckets = createBuckets(config.limits, BUCKETS)
  const merchants = createMerchantAuthentication({ access, clock, buckets })
  const staff = createStaffAuthentication({ ...config, access, clock })
  changes.onChange((change) => {
    signingKeys.invalidate()
    for (const cache of [tokenClients, tokens, merchants, staff]) cache.invalidate(change)
  })
  return { realms: createRealms({ tokens, merchants, staff }), staff }
}

/** Composes the gateway: credentials, rate limits, the route table, and the pipeline that checks and dispatches. */
export const createApp = (context: GatewayContext, config: GatewayConfig): App => {
  const { clock, log, changes, staffActions } = context
  const { recordRefusal } = staffActions
  let closing = false
  const clients = createBuckets(config.limits, BUCKETS)
  const anonymous = createBuckets(config.limits, BUCKETS)
  const { realms, staff } = createCredentials(context, config, clients)
  const addressOf = clientAddress(config.trustedProxies)
  const networkOf = (request: IncomingMessage) => loggedNetwork(addressOf(request))
  const security = createSecurityLog(log, networkOf)
  const newGuessLimit = () => createGuessLimit(config.credentialFailures, clock, addressOf)
  const guesses = newGuessLimit()
  const streams = createEventStreams(addressOf)
  const dispatch = createDispatcher({
    ...context,
    timeoutMs: config.busTimeoutMs,
    logAction: createActionLog(log),
    refreshChanges: changes.refresh,
  })
  const overload = createOverloadBound(config, log)
  const uploads = createUploads({ ...config, ...context, timeoutMs: config.busTimeoutMs })
  const importStore = createImportStore({ ...context, timeoutMs: config.busTimeoutMs })
  const open = createOpenAreas(context, config, {
    uploads,
    receiveImportForm: createImportForms(importStore),
    streams,
    dispatch,
    places: overload.places,
    recordRefusal,
    operations: operationRoutes,
    authenticateStaff: staff.authenticate,
    buckets: clients,
    guesses,
    // A separate limit: asking for links is no failed credential.
    linkRequests: newGuessLimit(),
    security,
    callerAddress: callerAddress(config.trustedProxies),
    // A separate limit: over it, notices are refused unverified, which failed credentials of other callers must not cause.
    senders: createNoticeSenders(newGuessLimit(), clock, addressOf),
  })
  const observer = createObserver({ ...config, log, networkOf })
  const isServedAt = createHostRule(config.consoleBaseUrl)
  const pipeline = createPipeline({
    isServedAt,
    showHome: createShowHome(config.consoleBaseUrl, ({ request }) => isServedAt(request, '/console')),
    addressBucket: (request) => anonymous.of(addressOf(request), clock.nowMs()),
    guesses,
    callerAddress: callerAddress(config.trustedProxies),
    dispatch,
    ...overload,
    recordRefusal,
    upload: createUpload(uploads),
    receiveImport: createImportReceiver(importStore),
    observer,
    security,
    closing: () => closing,
    clock,
    log,
  })
  return {
    handle: createHandler(pipeline, mountAreas(pipeline, realms, open)),
    answerBadRequest: createBadRequestAnswer((address) =>
      rateLimitHeaders(anonymous.of(address, clock.nowMs())),
    ),
    inFlight: observer.inFlight,
    close: () => {
      closing = true
      streams.close()
    },
  }
}
