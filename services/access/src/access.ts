import { createLocalRelay, createServiceClient, operatorActorOf, type ServiceClient } from '@causeway/chassis'
import { pendingActions } from '@causeway/contracts'
import type { AccessConfig } from './config.ts'
import type { AccessContext } from './context.ts'
import { createAuditTrail } from './audit/trail.ts'
import { credentialOperations } from './credentials/operations.ts'
import { oauthOperations } from './oauth/operations.ts'
import { createOwnOperations, recordedOperations } from './own-operations.ts'
import { partnerLookUps } from './partners/operations.ts'
import type { Owners } from './pending-actions/staff-call.ts'
import { screenSessionOperations } from './sessions/operations.ts'
import { signInOperations } from './sign-in/operations.ts'

export type { AuditTrail } from './audit/trail.ts'
export type { OwnOperations } from './own-operations.ts'
export type { StaffCall } from './pending-actions/staff-call.ts'

/** Answers the operations `access.*` for the gateway, in this process. */
const createPort = (context: AccessContext, config: AccessConfig, operatorActor: string): ServiceClient => {
  const { busTimeoutMs: timeoutMs, checkReplies = false } = config
  const operations = [
    ...credentialOperations(context),
    ...oauthOperations(context, config),
    ...screenSessionOperations(context, { ...config, operatorActor }),
    ...signInOperations(context, config),
    ...partnerLookUps(context),
  ]
  const local = createLocalRelay(operations, { ...context, checkReplies })
  return createServiceClient({
    ...context,
    service: 'gateway',
    send: (subject, request) => local.relay(subject, request),
    timeoutMs,
    timeoutFactor: 1,
  })
}

/** Partners, clients, keys, staff, sign-in, sessions, tokens, the audit log and pending actions. */
export const createAccess = (context: AccessContext, config: AccessConfig) => {
  const { db, clock, log, keyring, changeFeed } = context
  const operatorActor = operatorActorOf(config.operatorKey)
  const subjects = recordedOperations(context, config).map(({ operation }) => operation.subject)
  const ownSubjects = new Set([...subjects, pendingActions.takeResult.subject])
  const audit = createAuditTrail({ db, clock, log, ownSubjects })
  changeFeed.onChange(keyring.load)
  return {
    /** Asks the operations `access.*`. */
    ask: createPort(context, config, operatorActor),
    audit,
    createOperations: (owners: Owners) =>
      createOwnOperations(context, config, { audit, operatorActor, owners }),
  }
}

export type Access = ReturnType<typeof createAccess>
