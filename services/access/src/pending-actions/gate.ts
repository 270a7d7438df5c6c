import {
  detailsFromZod,
  newId,
  refuse,
  type Clock,
  type Db,
  type RelayedReply,
  type Vault,
} from '@causeway/chassis'
import { type FourEyes, type StaffRole, HELD, type PendingAction } from '@causeway/contracts'
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

/** How long an action waits for the second person. */
const WAITS_MS = 72 * 3_600_000

type Options = Readonly<{
  db: Db
  ask: Ask
  clock: Clock
  vault: Vault
  timeoutMs: number
  /** Which actions need two persons. */
  fourEyes: ReadonlySet<FourEyes>
  owners: Pick<Owners, 'refusalOf'>
}>

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** Faults of the request itself, in the order of decisions §1, which nobody has to be asked about. */
const faultOf = ({ endpoint, paramsJson, bodyJson }: StaffCall): RelayedReply | null => {
  const { operation } = endpoint.route
  const body = parse(bodyJson)
  const parsed = operation.body.safeParse(body)
  if (!parsed.success) return refuse(operation.badBody, detailsFromZod(parsed.error, body))
  return operation.params.safeParse(parse(paramsJson)).success ? null : refuse('resource_not_found')
}

/**
 * Keeps actions of staff that need two persons until a second one confirms them (decisions §14). It sees
 * each request of staff, from the API and from the screens alike. The people of a partner in the portal have no role
 * and pass: what they do to their own webhooks is not staff's.
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
        expiresAt: new Date(now.getTime() + WAITS_MS),
      })
      return inserted ?? findSameRequest(tx, same)
    })
    // Between the two statements a second person decided on the same request: asking again is a new one.
    return held === null ? refuse('temporarily_unavailable') : heldReply(present(vault, held, now))
  }

  const judge = async (checked: StaffCall, role: StaffRole) => {
    const fault = faultOf(checked)
    if (fault !== null) return { answer: fault }
    const callerJson = callerJsonOf(checked.actor)
    const prepared = await prepare(options, checked.endpoint.route.operation, { ...checked, callerJson })
    if (!prepared.ok) return { answer: prepared }
    const { before, groups } = prepared
    if (!groups.some((group) => fourEyes.has(group)))
      return { call: { ...checked, expectedJson: expectedJsonOf(before) } }
    return { answer: (await owners.refusalOf(checked)) ?? (await hold(checked, role, before)) }
  }

  return {
    async pass(checked) {
      const { role } = checked
      const isConcerned = checked.endpoint.route.operation.fourEyes.some((group) => fourEyes.has(group))
      return role !== null && isConcerned ? judge(checked, role) : { call: checked }
    },
  }
}
