import type { IncomingMessage } from 'node:http'
import { span, type Logger } from '@causeway/chassis'
import type { CredentialFault, Realm } from './identity.ts'

/** What is logged of a request: the part of an exchange that is the platform's own. */
type Logged = Readonly<{
  request: IncomingMessage
  requestId: string
  routePath: string
  client: string | null
}>

type RefusedCredential = Readonly<{
  kind: Realm['credential'] | 'client_secret' | 'client_assertion'
  reason: CredentialFault
  /** The client that the caller said it was. */
  claimed?: string
  /** Whether the caller's address was over its limit of failures. */
  limited: boolean
}>

/** Log lines about refusals, each with an event code (docs/OPERATIONS.md); no credential is ever among their fields. */
export type SecurityLog = Readonly<{
  refused: (exchange: Logged, credential: RefusedCredential) => void
  /** @param required scopes, or the role, of which the caller lacks something */
  forbidden: (exchange: Logged, required: readonly string[]) => void
  /** A post whose sender's service was not even asked, for so many from its address were forged. */
  callbackRefused: (exchange: Logged, kind: 'processor' | 'provider') => void
}>

/** @param networkOf the caller's network, as far as the log may name it (see client-address.ts) */
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
      // A request without a credential guesses nothing.
      if (credential.reason === 'missing') log.info(fields, 'A request came without a credential')
      else log.warn(fields, 'A credential was refused')
    },
    forbidden: (exchange, required) =>
      log.warn({ event: 'auth.forbidden', ...fieldsOf(exchange), required }, 'A scope or a role is missing'),
    callbackRefused: (exchange, kind) =>
      log.warn(
        { event: 'callback.refused', ...fieldsOf(exchange), kind, reason: 'rate_limited' },
        'A notice was refused without being judged',
      ),
  }
}
