import {
  createCursors,
  type Blobs,
  type Bus,
  type Clock,
  type Db,
  type Logger,
  type Vault,
} from '@causeway/chassis'
import express from 'express'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Keyring } from './signing-keys/keyring.ts'
import { createClientAuthentication } from './oauth/client-authentication.ts'
import { createGuessLimit } from './rate-limits/guess-limit.ts'
import { createMerchantAuthentication } from './api-keys/authentication.ts'
import { createNoticeSenders } from './rate-limits/notice-senders.ts'
import { createOperatorAuthentication } from './staff-keys/operator.ts'
import { createRealms } from './auth/realms.ts'
import type { Registry } from './change-feed/change-feed.ts'
import { createSessions } from './oauth/token-cache.ts'
import { createBuckets } from './rate-limits/token-bucket.ts'
import { createTokenIssuer } from './oauth/token-issuer.ts'
import { createTokenRevocation } from './oauth/token-revocation.ts'
import type { GatewayConfig } from './config.ts'
import { createBadRequestAnswer } from './http/bad-request.ts'
import { callerAddress, clientAddress, loggedNetwork } from './http/client-address.ts'
import { entriesOf } from './http/endpoint.ts'
import { createObserver } from './http/observer.ts'
import { createPipeline } from './http/pipeline.ts'
import type { AskReadiness } from './http/readiness.ts'
import { faultOf } from './http/request-fault.ts'
import { compileRoutes } from './http/router.ts'
import { createSecurityLog } from './http/security-log.ts'
import { auditOperations } from './audit/operations.ts'
import { createAuditTrail } from './audit/trail.ts'
import { clientKeyOperations } from './client-keys/operations.ts'
import { clientOperations } from './clients/operations.ts'
import { merchantKeyOperations } from './api-keys/operations.ts'
import { ownApiKeyOperations } from './own-api-keys/operations.ts'
import { partnerOperations, type OperationContext } from './partners/operations.ts'
import { createPerformer } from './dispatch/dispatch.ts'
import { staffKeyOperations } from './staff-keys/operations.ts'
import { describeApi } from './reference/openapi.ts'
import { renderPage } from './reference/page.ts'
import { callbackRoutes, type CallbackRoutesOptions } from './routes/callbacks.ts'
import { fileRoutes } from './routes/files.ts'
import { publicRoutes } from './routes/public.ts'
import { routeTable } from './routes/table.ts'
import { REVOCATION_PATH, TOKEN_PATH, tokenRoutes, type TokenRoutesOptions } from './routes/tokens.ts'
import { createUpload } from './uploads/upload.ts'

/** Most callers of one kind whose allowances are remembered. */
const BUCKETS = 100_000

export type AppGround = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  vault: Vault
  blobs: Blobs
  keyring: Keyring
  registry: Registry
  readiness: AskReadiness
}>

/** The gateway's answer to every request, and what its server needs to know of it. */
export type App = Readonly<{
  handle: RequestListener
  answerBadRequest: ReturnType<typeof createBadRequestAnswer>
  inFlight: () => number
  close: () => void
}>

/** What carries out admitted requests, and the log of what staff do. */
const createPerform = (context: AppGround, config: GatewayConfig) => {
  const { db, bus, clock, log, vault, registry } = context
  const operations: OperationContext = { db, vault, clock, registry, cursors: createCursors(vault) }
  const own = [
    ...partnerOperations(operations),
    ...staffKeyOperations(operations),
    ...clientOperations(operations),
    ...clientKeyOperations(operations),
    ...auditOperations(operations),
    ...merchantKeyOperations(context),
    ...ownApiKeyOperations(context),
  ]
  const ownSubjects = new Set(own.map((implementation) => implementation.operation.subject))
  const audit = createAuditTrail({ db, clock, log, ownSubjects })
  const checkReplies = config.checkReplies ?? false
  const timeoutMs = config.busTimeoutMs
  return { audit, perform: createPerformer({ db, bus, clock, log, timeoutMs, own, audit, checkReplies }) }
}

const createPublicRoutes = (
  context: AppGround,
  config: GatewayConfig,
  parts: Pick<TokenRoutesOptions, 'buckets' | 'guesses' | 'callerAddress'> &
    Pick<CallbackRoutesOptions, 'senders'>,
) => {
  const { db, bus, clock, vault, blobs, keyring, registry, readiness } = context
  const { publicBaseUrl, tokenTtlMs, busTimeoutMs: timeoutMs } = config
  const issuer = createTokenIssuer({ clock, keyring, issuer: publicBaseUrl, tokenTtlMs })
  const audience = ['', TOKEN_PATH, REVOCATION_PATH].map((path) => `${publicBaseUrl}${path}`)
  const revoke = createTokenRevocation({ db, clock, keyring, registry, issuer: publicBaseUrl })
  const authenticate = createClientAuthentication({ db, vault, clock, audience })
  const document = describeApi(publicBaseUrl)
  return [
    ...tokenRoutes({ ...parts, issuer, authenticate, revoke, keyring, clock, baseUrl: publicBaseUrl }),
    ...fileRoutes({ bus, clock, timeoutMs, blobs }),
    ...callbackRoutes({ ...parts, bus, clock, timeoutMs }),
    ...publicRoutes({
      bus,
      clock,
      timeoutMs,
      readiness,
      openApiJson: JSON.stringify(document),
      page: renderPage(document),
    }),
  ]
}

/** Puts the gateway together: who may call, what the table offers, and the order of checks between them. */
export const createApp = (context: AppGround, config: GatewayConfig): App => {
  const { db, clock, log, vault, keyring, registry } = context
  let closing = false
  const clients = createBuckets(config.limits, BUCKETS)
  const anonymous = createBuckets(config.limits, BUCKETS)
  const sessions = createSessions({ db, clock, keyring, buckets: clients, issuer: config.publicBaseUrl })
  const merchants = createMerchantAuthentication({
    db,
    vault,
    clock,
    buckets: createBuckets(config.limits, BUCKETS),
  })
  const staff = createOperatorAuthentication({ ...config, db, vault, clock, log })
  registry.onChange(async ({ clientIds, keyMacs }) => {
    sessions.forget(clientIds)
    merchants.forget(keyMacs)
    staff.forget(keyMacs)
    await keyring.load()
  })
  const realms = createRealms(sessions, merchants, staff)
  const addressOf = clientAddress(config.trustedProxies)
  const newGuessLimit = () => createGuessLimit(config.credentialFailures, clock, addressOf)
  const guesses = newGuessLimit()
  const open = createPublicRoutes(context, config, {
    buckets: clients,
    guesses,
    callerAddress: callerAddress(config.trustedProxies),
    // A limit of their own: forged posts are refused without being judged, which wrong passwords must not bring about.
    senders: createNoticeSenders(newGuessLimit(), clock, addressOf),
  })
  const networkOf = (request: IncomingMessage) => loggedNetwork(addressOf(request))
  const observer = createObserver({ ...config, log, networkOf })
  const { audit, perform } = createPerform(context, config)
  const pipeline = createPipeline({
    match: compileRoutes(entriesOf(routeTable(realms, open))).match,
    realms,
    addressBucket: (request) => anonymous.of(addressOf(request), clock.nowMs()),
    guesses,
    callerAddress: callerAddress(config.trustedProxies),
    perform,
    recordRefusal: audit.refused,
    upload: createUpload({ ...context, timeoutMs: config.busTimeoutMs, maxUploads: config.maxUploads }),
    observer,
    security: createSecurityLog(log, networkOf),
    closing: () => closing,
    clock,
    log,
  })
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(pipeline.receive)
  return {
    handle(request, response) {
      const fault = faultOf(request)
      if (fault !== null) pipeline.refuse(request, response, fault)
      // Express reads absolute targets in a way of its own, and answers some of them itself.
      else if (request.url?.startsWith('/') === true) app(request, response)
      else pipeline.receive(request, response)
    },
    answerBadRequest: createBadRequestAnswer((address) => anonymous.of(address, clock.nowMs())),
    inFlight: observer.inFlight,
    close: () => {
      closing = true
    },
  }
}
