import {
  apiKeys,
  clients,
  destinations,
  HELD,
  onboardingLinks,
  ownApiKeys,
  partners,
  portalLinks,
  registrations,
  staffKeys,
  type Operation,
} from '@causeway/contracts'
import type { RelayedReply } from './bus/wire.ts'
import type { Logger } from './log.ts'

type SecretEvent = readonly [event: 'secret.created' | 'secret.rotated' | 'secret.revoked', kind: string]

/** Operations that create, rotate or revoke a credential or a secret. */
export const SECRET_EVENTS: ReadonlyMap<string, SecretEvent> = new Map(
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
      [portalLinks.createOfPartner, 'secret.created', 'portal_link'],
      [portalLinks.createOfMerchant, 'secret.created', 'portal_link'],
      [portalLinks.createOwn, 'secret.created', 'portal_link'],
      [onboardingLinks.create, 'secret.created', 'onboarding_link'],
      [onboardingLinks.end, 'secret.revoked', 'onboarding_link'],
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
 * A request that was carried out.
 * @param client id for logs
 * @param actor id in the audit log; null for callers that are not staff
 */
type CarriedOut = Readonly<{
  requestId: string
  operation: Operation
  safe: boolean
  client: string
  actor: string | null
  paramsJson: string | undefined
}>

const outcomeOf = (answer: RelayedReply): string => {
  if (!answer.ok) return answer.code
  return answer.variant === HELD ? HELD : 'done'
}

/**
 * Logs operations on secrets and actions of staff, each with an event code (docs/OPERATIONS.md). The ids of the path say
 * which secret of whom; the audit log has what changed, under the same request id.
 */
export const createActionLog = (log: Logger) => (carriedOut: CarriedOut, answer: RelayedReply) => {
  const { requestId, operation, safe, client, actor, paramsJson } = carriedOut
  const { subject } = operation
  const secret = outcomeOf(answer) === 'done' ? SECRET_EVENTS.get(subject) : undefined
  if (secret === undefined && (actor === null || safe)) return
  const fields = { requestId, client, action: subject }
  if (secret !== undefined) {
    const [event, kind] = secret
    const named = paramsJson === undefined ? {} : (JSON.parse(paramsJson) as object)
    log.info({ event, ...fields, kind, named }, 'A secret was created, rotated or revoked')
  }
  if (actor !== null && !safe)
    log.info(
      { event: 'staff.action', ...fields, outcome: outcomeOf(answer) },
      'Staff called an operation that changes something',
    )
}

export type ActionLog = ReturnType<typeof createActionLog>
