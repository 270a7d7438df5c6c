import { newId, type Vault } from '@causeway/chassis'
import type { Call } from '../dispatch/call.ts'
import type { OperationEndpoint } from '../http/endpoint.ts'
import { openRequest } from './request.ts'
import type { Rule } from './rules.ts'
import type { PendingActionRecord } from './store.ts'

/** A confirmed action with all that is needed to carry it out. */
export type Confirmed = Readonly<{
  record: PendingActionRecord
  rule: Rule
  endpoint: OperationEndpoint
  confirmedBy: string
}>

/** The original request, under an id of its own: the audit log has one action for each. */
export const callOf = (vault: Vault, { record, rule, endpoint, confirmedBy }: Confirmed): Call => {
  const { paramsJson, bodyJson, before, queryJson, idempotencyKey } = openRequest(vault, record)
  const { requestedBy, requestedRole } = record
  const callerJson = JSON.stringify({ kind: 'operator', actor: requestedBy })
  const guarded =
    rule.guardedBody === undefined
      ? bodyJson
      : JSON.stringify(rule.guardedBody(bodyJson === undefined ? undefined : JSON.parse(bodyJson), before))
  return {
    requestId: newId('request'),
    endpoint,
    identity: {
      client: requestedBy,
      actor: requestedBy,
      role: requestedRole,
      callerJson,
      callerWithDefaultsJson: callerJson,
      callerWithLimitsJson: callerJson,
    },
    idempotencyKey,
    paramsJson,
    queryJson,
    bodyJson: guarded,
    confirmedBy,
  }
}
