import {
  detailsFromZod,
  newId,
  refuse,
  type Bus,
  type Clock,
  type Db,
  type RelayedReply,
  type Vault,
} from '@causeway/chassis'
import type { StaffRole } from '@causeway/contracts'
import { targetOf } from '../audit/redaction.ts'
import type { Executor, Gate } from '../dispatch/dispatch.ts'
import { heldReply } from '../http/held.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import type { FourEyes } from './groups.ts'
import { readPrecondition } from './read-precondition.ts'
import { present, sealRequest } from './request.ts'
import { needsSecondPerson, requestHash, ruleOf, type Rule } from './rules.ts'
import { expireSameRequest, findSameRequest, insertPendingAction } from './store.ts'

/** How long an action waits for the second person. */
const WAITS_MS = 72 * 3_600_000

type Options = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  vault: Vault
  timeoutMs: number
  /** Which actions need two persons. */
  fourEyes: ReadonlySet<FourEyes>
  executor: Pick<Executor, 'refusalOf'>
}>

/** Faults of the request itself, in the order of decisions §1, which nobody has to be asked about. */
const faultOf = ({ endpoint, paramsJson }: CheckedRequest, body: unknown): RelayedReply | null => {
  const { operation } = endpoint.route
  const parsed = operation.body.safeParse(body)
  if (!parsed.success) return refuse(operation.badBody, detailsFromZod(parsed.error, body))
  const params: unknown = paramsJson === undefined ? undefined : JSON.parse(paramsJson)
  return operation.params.safeParse(params).success ? null : refuse('resource_not_found')
}

const parse = (bodyJson: string | undefined): unknown =>
  bodyJson === undefined ? undefined : JSON.parse(bodyJson)

/**
 * Keeps actions of staff that need two persons until a second one confirms them (decisions §14). The dispatcher asks it
 * for each request of staff, from the API and from the screens alike. The people of a partner in the portal have no role
 * and pass: what they do to their own webhooks is not staff's.
 */
export const createGate = (options: Options): Gate => {
  const { db, clock, vault, fourEyes, executor } = options

  const hold = async (checked: CheckedRequest, requestedRole: StaffRole, before: unknown) => {
    const { endpoint, identity, paramsJson, queryJson, bodyJson, idempotencyKey } = checked
    const { operation, role } = endpoint.route
    const now = clock.now()
    const pendingActionId = newId('pendingAction')
    const request = { paramsJson, bodyJson, before, queryJson, idempotencyKey }
    const requestSha256 = requestHash({ operation: operation.subject, ...request })
    const same = { requestedBy: identity.client, requestSha256 }
    const held = await db.transaction(async (tx) => {
      await expireSameRequest(tx, { ...same, now })
      const inserted = await insertPendingAction(tx, {
        ...same,
        pendingActionId,
        action: operation.subject,
        target: targetOf(paramsJson),
        role: role ?? 'admin',
        requestSealed: sealRequest(vault, pendingActionId, request),
        requestedRole,
        now,
        expiresAt: new Date(now.getTime() + WAITS_MS),
      })
      return inserted ?? findSameRequest(tx, same)
    })
    // Between the two statements a second person decided on the same request: asking again is a new one.
    return held === null ? refuse('temporarily_unavailable') : heldReply(present(vault, held, now))
  }

  const judge = async (checked: CheckedRequest, rule: Rule, role: StaffRole) => {
    const body = parse(checked.bodyJson)
    const fault = faultOf(checked, body)
    if (fault !== null) return { answer: fault }
    const read = await readPrecondition(options, rule, checked)
    if (!read.ok) return { answer: read }
    const { state: before } = read
    const refusal = rule.refusal?.(before, body) ?? null
    if (refusal !== null) return { answer: refusal }
    if (!needsSecondPerson(rule, fourEyes, body, before))
      return { call: { ...checked, bodyJson: JSON.stringify(rule.guardedBody?.(body, before) ?? body) } }
    return { answer: (await executor.refusalOf(checked)) ?? (await hold(checked, role, before)) }
  }

  return {
    async pass(checked) {
      const { role } = checked.identity
      const rule = ruleOf(checked.endpoint.route.operation.subject)
      if (role === null || rule === undefined) return { call: checked }
      const isConcerned = Object.keys(rule.groups).some((group) => fourEyes.has(group as FourEyes))
      return isConcerned ? judge(checked, rule, role) : { call: checked }
    },
  }
}
