import { implement, refuse, reply, type RelayedReply } from '@causeway/chassis'
import { accessGate, HELD } from '@causeway/contracts'
import { endingOf, type AuditTrail } from '../audit/trail.ts'
import type { Gate, Owners, StaffCall } from '../pending-actions/staff-call.ts'

type Options = Readonly<{
  trail: AuditTrail
  gate: Gate
  owners: Pick<Owners, 'refusalOf'>
  /** The routes of the operations of staff, by subject. */
  endpoints: ReadonlyMap<string, StaffCall['endpoint']>
}>

const presented = (answer: RelayedReply) => {
  if (!answer.ok) {
    const { code, details } = answer
    const refusal = details === undefined ? { code } : { code, details: details.map((each) => ({ ...each })) }
    return reply({ outcome: 'refused' as const, refusal })
  }
  if (answer.variant !== HELD) throw new Error('The gate answered a request that does not wait')
  return reply({ outcome: 'held' as const, reply_json: Buffer.from(answer.data).toString('utf8') })
}

/** `access.gate` (decisions §14). */
export const gateOperations = ({ trail, gate, owners, endpoints }: Options) =>
  implement(accessGate, {
    async begin({ body }) {
      const endpoint = endpoints.get(body.operation)
      if (endpoint === undefined) return refuse('resource_not_found')
      const { request_id: requestId, actor, role, params_json: paramsJson } = body
      const action = { requestId, operation: endpoint.route.operation, actor, paramsJson }
      await trail.begin({ ...action, safe: endpoint.safe })
      const passed = await gate.pass({
        requestId,
        endpoint,
        actor,
        role,
        idempotencyKey: body.idempotency_key,
        paramsJson,
        queryJson: body.query_json,
        bodyJson: body.body_json,
      })
      const answer = 'answer' in passed ? passed.answer : await owners.refusalOf(passed.call)
      if (answer === null && 'call' in passed)
        return reply({ outcome: 'proceed' as const, expected_json: passed.call.expectedJson ?? null })
      if (answer === null) throw new Error('The gate neither passed nor answered a request')
      if (!endpoint.safe) await trail.end(action, endingOf(answer))
      return presented(answer)
    },
  })
