import type { Logger, RelayedReply } from '@causeway/chassis'
import {
  apiKeys,
  clients,
  destinations,
  ownApiKeys,
  partners,
  registrations,
  staffKeys,
} from '@causeway/contracts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'

type SecretEvent = readonly [event: 'secret.created' | 'secret.rotated' | 'secret.revoked', kind: string]

/** Operations that make, replace or take back a credential or a secret. */
const SECRET_EVENTS: ReadonlyMap<string, SecretEvent> = new Map(
  (
    [
      [partners.create, 'secret.created', 'client_secret'],
      [clients.create, 'secret.created', 'client_secret'],
      [clients.rotateSecret, 'secret.rotated', 'client_secret'],
      [apiKeys.create, 'secret.created', 'merchant_key'],
      [apiKeys.revoke, 'secret.revoked', 'merchant_key'],
      [ownApiKeys.revoke, 'secret.revoked', 'merchant_key'],
      [staffKeys.create, 'secret.created', 'staff_key'],
      [staffKeys.revoke, 'secret.revoked', 'staff_key'],
      [destinations.create, 'secret.created', 'webhook_secret'],
      [destinations.rotateSecret, 'secret.rotated', 'webhook_secret'],
      [destinations.delete, 'secret.revoked', 'webhook_secret'],
      [registrations.create, 'secret.created', 'webhook_secret'],
      [registrations.rotateSecret, 'secret.rotated', 'webhook_secret'],
      [registrations.delete, 'secret.revoked', 'webhook_secret'],
    ] as const
  ).map(([operation, event, kind]) => [operation.subject, [event, kind]]),
)

/**
 * Logs what was done with secrets, and what staff did, each with an event code (docs/OPERATIONS.md). Whose and which is
 * told by the ids of the path; what changed, by the audit log under the same request.
 */
export const createActionLog = (log: Logger) => (checked: CheckedRequest, answer: RelayedReply) => {
  const { endpoint, identity, requestId, paramsJson } = checked
  const { subject } = endpoint.route.operation
  const secret = answer.ok ? SECRET_EVENTS.get(subject) : undefined
  if (secret === undefined && (identity.actor === null || endpoint.safe)) return
  const fields = { requestId, client: identity.client, action: subject }
  if (secret !== undefined) {
    const [event, kind] = secret
    const named = paramsJson === undefined ? {} : (JSON.parse(paramsJson) as object)
    log.info({ event, ...fields, kind, named }, 'A secret was made, replaced or taken back')
  }
  if (identity.actor !== null && !endpoint.safe)
    log.info(
      { event: 'staff.action', ...fields, outcome: answer.ok ? 'done' : answer.code },
      'A member of the staff acted',
    )
}
