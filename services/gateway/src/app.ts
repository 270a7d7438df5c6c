import type { ConsoleOptions } from '@causeway/screens'
import express from 'express'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createClientAuthentication } from './oauth/client-authentication.ts'
import { createGuessLimit } from './rate-limits/guess-limit.ts'
import { createMerchantAuthentication } from './api-keys/authentication.ts'
import { createNoticeSenders } from './rate-limits/notice-senders.ts'
import { createStaffAuthentication } from './staff-keys/authentication.ts'
import { createRealms } from './auth/realms.ts'
import { createSecurityLog } from './auth/security-log.ts'
import { createTokenCache } from './oauth/token-cache.ts'
import { rateLimitHeaders } from './rate-limits/answers.ts'
import { createBuckets, type Buckets } from './rate-limits/token-bucket.ts'
import { createTokenIssuer } from './oauth/token-issuer.ts'
import { createTokenRevocation } from './oauth/token-revocation.ts'
import type { GatewayConfig } from './config.ts'
import { createDispatch } from './create-dispatch.ts'
import type { GatewayContext } from './context.ts'
import { createBadRequestAnswer } from './http/bad-request.ts'
import { createHostRule } from './http/console-host.ts'
import { callerAddress, clientAddress, loggedNetwork } from './http/client-address.ts'
import { entriesOf } from './http/endpoint.ts'
import { createObserver } from './http/observer.ts'
import { faultOf } from './http/request-fault.ts'
import { compileRoutes } from './http/router.ts'
import { getPartner } from './partners/store.ts'
import { createAttemptCookie } from './oidc/attempt-cookie.ts'
import { createIdentityProvider } from './oidc/provider.ts'
import { CALLBACK_PATH, oidcRoutes } from './oidc/routes.ts'
import { createOverloadBound } from './pipeline/overload.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import { referenceDocuments } from './reference/documents.ts'
import { describeApi, describeOperatorApi } from './reference/openapi.ts'
import { callbackRoutes, type CallbackRoutesOptions } from './routes/callbacks.ts'
import { createEventStreams } from './screens/event-stream.ts'
import { createSessionCookies } from './screens/session-cookie.ts'
import { createSessions } from './sessions/sessions.ts'
import { screenRoutes, type ScreenRoutesOptions } from './screens/routes.ts'
import { fileRoutes } from './routes/files.ts'
import { publicRoutes } from './routes/public.ts'
import { operationRoutes, routeTable } from './routes/table.ts'
import { assertionAudience, tokenRoutes, type TokenRoutesOptions } from './routes/tokens.ts'
import { createUpload, createUploads } from './uploads/upload.ts'

/** Most callers of one kind whose rate limits are kept in memory. */
const BUCKETS = 100_000

/** What the HTTP server needs of the gateway: the handlers of requests, and their number. */
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
  | 'clock'
  | 'log'
  | 'timeoutMs'
  | 'sessions'
  | 'cookies'
  | 'onlyActor'
  | keyof ConsoleOptions
> &
  Readonly<{ operatorActor: string }>

/** The screens, and the way to the identity provider of the staff where there is one. */
const createScreenRoutes = (context: GatewayContext, config: GatewayConfig, shared: ScreensShared) => {
  const { db, bus, blobs, clock, log, getReadiness: getHealth } = context
  const { publicBaseUrl, busTimeoutMs: timeoutMs, oidc, staffIdleAfterMs } = config
  const { operatorActor } = shared
  const sessions = createSessions({ db, clock, operatorActor, staffIdleAfterMs })
  const consoleUrl = config.consoleBaseUrl ?? publicBaseUrl
  const cookies = createSessionCookies({ console: consoleUrl, portal: publicBaseUrl })
  const hasProvider = oidc !== null
  const onlyActor = hasProvider ? operatorActor : null
  const options = {
    ...shared,
    findPartner: (partnerId: string) => getPartner(db, { partnerId }),
    bus,
    blobs,
    clock,
    log,
    timeoutMs,
    sessions,
    cookies,
    getHealth,
    hasProvider,
    hasFourEyes: config.fourEyes.size > 0,
    onlyActor,
  }
  if (oidc === null) return screenRoutes(options)
  const provider = createIdentityProvider(oidc, `${consoleUrl}${CALLBACK_PATH}`, log)
  const attemptCookie = createAttemptCookie(consoleUrl)
  return [...screenRoutes(options), ...oidcRoutes({ ...options, provider, attemptCookie })]
}

const createPublicRoutes = (
  context: GatewayContext,
  config: GatewayConfig,
  shared: Pick<TokenRoutesOptions, 'buckets' | 'guesses' | 'callerAddress' | 'security'> &
    Pick<CallbackRoutesOptions, 'senders'> &
    ScreensShared,
) => {
  const { db, bus, clock, vault, blobs, keyring, changeFeed, getReadiness } = context
  const { publicBaseUrl, tokenTtlMs, busTimeoutMs: timeoutMs } = config
  const issuer = createTokenIssuer({ clock, keyring, issuer: publicBaseUrl, tokenTtlMs })
  const audience = assertionAudience(publicBaseUrl)
  const revoke = createTokenRevocation({ db, clock, keyring, changeFeed, issuer: publicBaseUrl })
  const authenticate = createClientAuthentication({ db, vault, clock, audience })
  return [
    ...tokenRoutes({ ...shared, issuer, authenticate, revoke, keyring, clock, baseUrl: publicBaseUrl }),
    ...fileRoutes({ bus, clock, timeoutMs, blobs }),
    ...callbackRoutes({ ...shared, bus, clock, timeoutMs }),
    ...createScreenRoutes(context, config, shared),
    ...publicRoutes({
      getReadiness,
      documents: referenceDocuments({
        open: () => describeApi(publicBaseUrl),
        operator: () => describeOperatorApi(publicBaseUrl),
      }),
    }),
  ]
}

/** Passes what is an HTTP request to the pipeline, through Express, and refuses what is none. */
const createHandler = (pipeline: ReturnType<typeof createPipeline>): RequestListener => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(pipeline.receive)
  return (request, response) => {
    const fault = faultOf(request)
    if (fault !== null) pipeline.refuse(request, response, fault)
    // Express parses absolute targets differently, and answers some of them itself.
    else if (request.url?.startsWith('/') === true) app(request, response)
    else pipeline.receive(request, response)
  }
}

/** The realms of the API, whose credentials end on every replica when one changes them. */
const createCredentials = (context: GatewayContext, config: GatewayConfig, clients: Buckets) => {
  const { db, clock, log, vault, keyring, changeFeed } = context
  const tokens = createTokenCache({ db, clock, keyring, buckets: clients, issuer: config.publicBaseUrl })
  const buckets = createBuckets(config.limits, BUCKETS)
  const merchants = createMerchantAuthentication({ db, vault, clock, buckets })
  const staff = createStaffAuthentication({ ...config, db, vault, clock, log })
  changeFeed.onChange(async ({ clientIds, keyMacs }) => {
    tokens.invalidate(clientIds)
    merchants.invalidate(keyMacs)
    staff.invalidate(keyMacs)
    await keyring.load()
  })
  return { realms: createRealms({ tokens, merchants, staff }), staff }
}

/** Composes the gateway: credentials, rate limits, the route table, and the pipeline that checks and dispatches. */
export const createApp = (context: GatewayContext, config: GatewayConfig): App => {
  const { clock, log } = context
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
  const { audit, dispatch } = createDispatch(context, config, staff.operatorActor)
  const overload = createOverloadBound(config, log)
  const uploads = createUploads({ ...config, ...context, timeoutMs: config.busTimeoutMs })
  const open = createPublicRoutes(context, config, {
    uploads,
    streams,
    dispatch,
    places: overload.places,
    recordRefusal: audit.recordRefusal,
    operations: operationRoutes,
    authenticateStaff: staff.authenticate,
    operatorActor: staff.operatorActor,
    buckets: clients,
    guesses,
    security,
    callerAddress: callerAddress(config.trustedProxies),
    // A separate limit: over it, notices are refused unverified, which failed credentials of other callers must not cause.
    senders: createNoticeSenders(newGuessLimit(), clock, addressOf),
  })
  const observer = createObserver({ ...config, log, networkOf })
  const { match } = compileRoutes(entriesOf(routeTable(realms, open)))
  const isServedAt = createHostRule(config.consoleBaseUrl)
  const pipeline = createPipeline({
    match: ({ request, path }) => (isServedAt(request, path) ? match(path) : null),
    realms,
    addressBucket: (request) => anonymous.of(addressOf(request), clock.nowMs()),
    guesses,
    callerAddress: callerAddress(config.trustedProxies),
    dispatch,
    ...overload,
    recordRefusal: audit.recordRefusal,
    upload: createUpload(uploads),
    observer,
    security,
    closing: () => closing,
    clock,
    log,
  })
  return {
    handle: createHandler(pipeline),
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
