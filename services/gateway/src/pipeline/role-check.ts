import type { StaffActions } from './staff-actions.ts'
import type { Identity } from '../auth/identity.ts'
import { scopeChallenge } from '../auth/realms.ts'
import { roleAllows } from '@causeway/contracts'
import type { SecurityLog } from '../auth/security-log.ts'
import { sendError } from '../http/answer.ts'
import type { OperationEndpoint } from '../http/endpoint.ts'
import type { Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import type { IdentifiedCall } from './request-checks.ts'

export type RoleCheckOptions = Readonly<{
  /** Records in the audit log that staff tried what their role does not allow. @throws NotDoneError */
  recordRefusal: StaffActions['recordRefusal']
  security: SecurityLog
}>

/** Checks whether the role of the caller's staff key is insufficient for a route. */
export const lacksRole = (identity: Identity, { route }: OperationEndpoint): boolean =>
  route.role !== null && (identity.role === null || !roleAllows(identity.role, route.role))

/** Answers 403 once the attempt is in the audit log. @throws NotDoneError when it cannot be recorded */
export const refuseRole = async (
  { recordRefusal, security }: RoleCheckOptions,
  exchange: Exchange,
  { endpoint, identity, values }: IdentifiedCall,
): Promise<void> => {
  const { route, parameterNames } = endpoint
  const { requestId } = exchange
  const paramsJson = paramsJsonOf(parameterNames, values)
  await recordRefusal({ requestId, operation: route.operation, actor: identity.client, paramsJson })
  const needed = [route.role ?? '']
  security.forbidden(exchange, needed)
  sendError(exchange, 'insufficient_scope', undefined, ['WWW-Authenticate', scopeChallenge(needed)])
}
