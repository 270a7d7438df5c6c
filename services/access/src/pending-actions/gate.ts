import {
  detailsFromZod,
  newId,
  refuse,
  type Clock,
  type Db,
  type RelayedReply,
  type Vault,
} from '@causeway/chassis'
import { needsTwo, type FourEyes, type StaffRole, HELD, type PendingAction } from '@causeway/contracts'
import { targetOf } from '../audit/redaction.ts'
import { expectedJsonOf, prepare, type Ask } from './preparation.ts'
import { present, requestHash, sealRequest } from './request.ts'
import { callerJsonOf, type Gate, type Owners, type StaffCall } from './staff-call.ts'
import { expireSameRequest, findSameRequest, insertPendingAction } from './store.ts'

const heldReply = (pendingAction: PendingAction): RelayedReply => ({
  ok: true,
  variant: HELD,
  data: Buffer.from(JSON.stringify({ pending_action: pendingAction })),
})

/** Time after which an action expires that waits for a second person. */
const EXPIRES_AFTER_MS = 72 * 3_600_000

type Options = Readonly<{
  db: Db
  ask: Ask
  clock: Clock
  vault: Vault
  timeoutMs: number
  /** Groups of actions that need a second person, as the setting names them. */
  fourEyes: ReadonlySet<FourEyes>
  owners: Pick<Owners, 'refusalOf'>
}>

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** Returns a fault that is visible without calling the owner, in the order of decisions §1. */
const faultOf = ({ endpoint, paramsJson, bodyJson }: StaffCall): RelayedReply | null => {
  const { operation } = endpoint.route
  const body = parse(bodyJson)
  const parsed = operation.body.safeParse(body)
  if (!parsed.success) return refuse(operation.badBody, detailsFromZod(parsed.error, body, operation.body))
  return operation.params.safeParse(parse(paramsJson)).success ? null : refuse('resource_not_found')
}

/**
 * Holds staff actions that need two people until the second one confirms them (decisions §14). Every staff request passes
 * it, from the API and from the screens. People of a partner in the portal have no role and pass, because changes of their
 * own webhooks are not staff actions.
 */
export const createGate = (options: Options): Gate => {
  const { db, clock, vault, fourEyes, owners } = options

  const hold = async (checked: StaffCall, requestedRole: StaffRole, before: unknown) => {
    const { endpoint, actor, paramsJson, queryJson, bodyJson, idempotencyKey } = checked
    const { operation, role } = endpoint.route
    const now = clock.now()
    const pendingActionId = newId('pendingAction')
    const request = { paramsJson, bodyJson, before, queryJson, idempotencyKey }
    const requestSha256 = requestHash(operation.subject, request)
    const same = { requestedBy: actor, requestSha256 }
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
        expiresAt: new Date(now.getTime() + EXPIRES_AFTER_MS),
      })
      return inserted ?? findSameRequest(tx, same)
    })
    // A second person decided on the same request between the two statements: a retry creates a new pending action.
    return held === null ? refuse('temporarily_unavailable') : heldReply(present(vault, held, now))
  }

  const judge = async (checked: StaffCall, role: StaffRole) => {
    const fault = faultOf(checked)
    if (fault !== null) return { answer: fault }
    const callerJson = callerJsonOf(checked.actor)
    const prepared = await prepare(options, checked.endpoint.route.operation, { ...checked, callerJson })
    if (!prepared.ok) return { answer: prepared }
    const { before, groups } = prepared
    if (!groups.some((group) => needsTwo(group, fourEyes)))
      return { call: { ...checked, expectedJson: expectedJsonOf(before) } }
    return { answer: (await owners.refusalOf(checked)) ?? (await hold(checked, role, before)) }
  }

  return {
    async pass(checked) {
      const { role } = checked
      const isConcerned = checked.endpoint.route.operation.fourEyes.some((group) => needsTwo(group, fourEyes))
      return role !== null && isConcerned ? judge(checked, role) : { call: checked }
    },
  }
}
