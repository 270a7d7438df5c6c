import type { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { createActionLog } from './dispatch/action-log.ts'
import { createDispatcher, createExecutor } from './dispatch/dispatch.ts'

/** Creates the dispatcher of checked requests. */
export const createDispatch = (context: GatewayContext, config: GatewayConfig) => {
  const { access, staff, changes, log } = context
  const { approvalKey, busTimeoutMs: timeoutMs } = config
  const { audit } = staff
  const { findPartner } = access
  const executor = createExecutor({ ...context, findPartner, timeoutMs, approvalKey })
  const logAction = createActionLog(log)
  const own = staff.createOperations({ ...executor, logAction })
  return createDispatcher({ executor, own, audit, logAction, refreshChanges: changes.refresh })
}
