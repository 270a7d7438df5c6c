import type { IncomingMessage } from 'node:http'
import { span, type Logger } from '@causeway/chassis'
import type { CredentialFault, Realm } from './identity.ts'

/** The logged fields of an exchange; callers cannot write them. */
type Logged = Readonly<{
  request: IncomingMessage
  requestId: string
  routePath: string
  client: string | null
}>

type RefusedCredential = Readonly<{
  kind:
    | Realm['credential']
    | 'client_secret'
    | 'client_assertion'
    | 'portal_link'
    | 'onboarding_link'
    | 'sign_in_link'
    | 'invitation'
    | 'oidc'
  reason: CredentialFault
  /** The client that the caller claims to be. */
  claimed?: string
  /** True if the caller's address was over its limit of failed credentials. */
  limited: boolean
}>

/** Log lines of refused requests, each with an event code (docs/OPERATIONS.md) and never with a credential. */
export type SecurityLog = Readonly<{
  refused: (exchange: Logged, credential: RefusedCredential) => void
  /** @param required the scopes, or the role, that the route needs and the caller lacks */
  forbidden: (exchange: Logged, required: readonly string[]) => void
  /** A notice that was refused without asking the service, because its address is over the limit of forged notices. */
  callbackRefused: (exchange: Logged, kind: 'processor' | 'provider') => void
}>

/** @param networkOf the part of the caller's address that is logged (see client-address.ts) */
export const createSecurityLog = (
  log: Logger,
  networkOf: (request: IncomingMessage) => string,
): SecurityLog => {
  const fieldsOf = ({ request, requestId, routePath, client }: Logged) => ({
    requestId,
    traceId: span.traceId() ?? undefined,
    client: client ?? undefined,
    network: networkOf(request),
    method: request.method,
    route: routePath,
  })
  return {
    refused(exchange, credential) {
      const fields = { event: 'auth.refused', ...fieldsOf(exchange), ...credential }
      // A missing credential is not an attempt to guess one, and is no warning.
      if (credential.reason === 'missing') log.info(fields, 'A request came without a credential')
      else log.warn(fields, 'A credential was refused')
    },
    forbidden: (exchange, required) =>
      log.warn({ event: 'auth.forbidden', ...fieldsOf(exchange), required }, 'A scope or a role is missing'),
    callbackRefused: (exchange, kind) =>
      log.warn(
        { event: 'callback.refused', ...fieldsOf(exchange), kind, reason: 'rate_limited' },
        'A notice was refused without being verified',
      ),
  }
}
