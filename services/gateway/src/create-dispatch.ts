import { pendingActions } from '@causeway/contracts'
import { operationEndpoints } from './http/endpoint.ts'
import { auditOperations } from './audit/operations.ts'
import { createAuditTrail } from './audit/trail.ts'
import { clientKeyOperations } from './client-keys/operations.ts'
import { clientOperations } from './clients/operations.ts'
import { apiKeyOperations } from './api-keys/operations.ts'
import { ownApiKeyOperations } from './own-api-keys/operations.ts'
import { parkedEventOperations } from './parked-events/operations.ts'
import { partnerOperations } from './partners/operations.ts'
import { createActionLog } from './dispatch/action-log.ts'
import { createDispatcher, createExecutor } from './dispatch/dispatch.ts'
import { createCarryOut } from './pending-actions/carry-out.ts'
import { createGate } from './pending-actions/gate.ts'
import { pendingActionOperations } from './pending-actions/operations.ts'
import { portalLinkOperations } from './portal-links/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { staffKeyOperations } from './staff-keys/operations.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { operationRoutes } from './routes/table.ts'

/** The gateway's own operations that record their end in the audit log themselves, in their transaction. */
const ownOperationsOf = (context: GatewayContext, config: GatewayConfig) => [
  ...partnerOperations(context),
  ...clientOperations(context),
  ...clientKeyOperations(context),
  ...apiKeyOperations(context),
  ...ownApiKeyOperations(context),
  ...staffKeyOperations(context),
  ...portalLinkOperations(context, config),
  ...sessionOperations(context, config),
  ...auditOperations(context),
]

/** The dispatcher of checked requests, and the audit log that it writes for staff. */
export const createDispatch = (context: GatewayContext, config: GatewayConfig, operatorActor: string) => {
  const { db, clock, log } = context
  const own = ownOperationsOf(context, config)
  // What these do, a service does: the trail records it like every other answer of a service.
  const passedOn = parkedEventOperations(context, config)
  const subjects = own.map((implementation) => implementation.operation.subject)
  const ownSubjects = new Set([...subjects, pendingActions.takeResult.subject])
  const audit = createAuditTrail({ db, clock, log, ownSubjects })
  const { approvalKey, fourEyes, busTimeoutMs: timeoutMs, checkReplies = false } = config
  const executor = createExecutor({ ...context, timeoutMs, approvalKey, checkReplies })
  const logAction = createActionLog(log)
  const carryOut = createCarryOut({
    ...context,
    audit,
    executor,
    logAction,
    ownOperations: (bound) => ownOperationsOf({ ...context, ...bound }, config),
  })
  const endpoints = operationEndpoints(operationRoutes)
  const pending = pendingActionOperations({
    ...context,
    endpoints,
    carryOut,
    timeoutMs,
    operatorActor,
    onlyPeopleConfirm: config.oidc !== null,
  })
  const gate = createGate({ ...context, timeoutMs, fourEyes, executor })
  return {
    audit,
    dispatch: createDispatcher({ executor, own: [...own, ...passedOn, ...pending], audit, gate, logAction }),
  }
}
