import type { IncomingMessage } from 'node:http'
import type { Clock, Logger } from '@causeway/chassis'
import type { Authenticated, CredentialFault, Identity, Realm } from '../auth/identity.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import { credentialAnswer } from '../auth/credential-answer.ts'
import { sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import { take, type Bucket } from '../rate-limits/token-bucket.ts'
import type { Completion } from './found-route.ts'

export type CredentialCheckOptions = Readonly<{
  /** The bucket of the caller's address. */
  addressBucket: (request: IncomingMessage) => Bucket
  callerAddress: (request: IncomingMessage) => string
  guesses: GuessLimit
  security: SecurityLog
  clock: Clock
  log: Logger
}>

/** Answers 401, or 429 when the address is over its limit of failed credentials; a missing one does not count as failed. */
const refuseCredential = (
  { addressBucket, guesses, security, clock }: CredentialCheckOptions,
  exchange: Exchange,
  realm: Realm,
  fault: CredentialFault,
): void => {
  const { request } = exchange
  take(addressBucket(request), clock.nowMs())
  const presented = fault !== 'missing'
  const retryAfter = presented ? guesses.recordFailure(request) : null
  security.refused(exchange, { kind: realm.credential, reason: fault, limited: retryAfter !== null })
  if (retryAfter === null) {
    const { message, details } = credentialAnswer(fault, realm, request.headers)
    sendError(exchange, 'unauthorized', details, ['WWW-Authenticate', realm.challenge(presented)], message)
  } else sendError(exchange, 'rate_limited', undefined, ['Retry-After', retryAfter])
}

/** `elsewhere` for a client that may not call from this address. */
const checkAddress = (identity: Identity, address: () => string): Authenticated =>
  identity.addressRule === null || identity.addressRule(address()) ? identity : 'elsewhere'

/** Authenticates the caller and continues, or answers 401, 429, or 503 when the credential could not be verified. */
export const checkCredential = (
  options: CredentialCheckOptions,
  exchange: Exchange,
  realm: Realm,
  proceed: (identity: Identity) => Completion,
): Completion => {
  const { request } = exchange
  const decide = (authenticated: Authenticated): Completion => {
    const identity =
      typeof authenticated === 'string'
        ? authenticated
        : checkAddress(authenticated, () => options.callerAddress(request))
    if (typeof identity !== 'string') return proceed(identity)
    refuseCredential(options, exchange, realm, identity)
    return undefined
  }
  const authenticated = realm.authenticate(request.headers)
  if (!(authenticated instanceof Promise)) return decide(authenticated)
  return authenticated.then(decide, (error: unknown) => {
    options.log.warn(
      { event: 'auth.unavailable', error, requestId: exchange.requestId },
      'A credential could not be verified; nothing was done',
    )
    sendError(exchange, 'temporarily_unavailable')
  })
}
