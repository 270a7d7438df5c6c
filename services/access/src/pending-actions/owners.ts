import {
  createActionLog,
  detailsFromZod,
  isId,
  refuse,
  relay,
  type Bus,
  type Clock,
  type Db,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { merchants } from '@causeway/contracts'
import { getPartner } from '../partners/store.ts'
import type { ApprovePayout } from '../payout-approvals/approval.ts'
import type { ApproveRefund } from '../refund-approvals/approval.ts'
import { callerJsonOf, type Owners, type StaffCall } from './staff-call.ts'

type Options = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  /** Deadline of a request on the bus. */
  timeoutMs: number
  approve: ApproveRefund
  approvePayout: ApprovePayout
}>

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

const refusalOfPartner = async ({ db }: Options, { paramsJson }: StaffCall): Promise<RelayedReply | null> => {
  const { partnerId } = parsed(paramsJson) as { partnerId: string }
  const partner = isId('partner', partnerId) ? await getPartner(db, { partnerId }) : null
  return partner === null ? refuse('resource_not_found') : null
}

/** Asks onboarding, which owns merchants, whether one exists. */
const refusalOfMerchant = async (
  { bus, clock, timeoutMs }: Options,
  { requestId, actor, paramsJson }: StaffCall,
): Promise<RelayedReply | null> => {
  const { customerId } = parsed(paramsJson) as { customerId: string }
  const answer = await relay(bus, clock, merchants.get.subject, {
    requestId,
    callerJson: callerJsonOf(actor),
    timeoutMs,
    safe: true,
    paramsJson: JSON.stringify({ customerId }),
  })
  if (answer.ok) return null
  return refuse(answer.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
}

/**
 * Checks that the partner or merchant of the path exists, for services that cannot know it. The body is validated first,
 * in the order of decisions §1; the service validates it again.
 */
const refusalOfOwner = async (options: Options, call: StaffCall): Promise<RelayedReply | null> => {
  const { operation, ofPartner, ofMerchant } = call.endpoint.route
  if (!ofPartner && !ofMerchant) return null
  const body = parsed(call.bodyJson)
  const validated = operation.body.safeParse(body)
  if (!validated.success)
    return refuse(operation.badBody, detailsFromZod(validated.error, body, operation.body))
  return ofPartner ? refusalOfPartner(options, call) : refusalOfMerchant(options, call)
}

/** Calls the services that own operations. */
export const createOwners = (options: Options): Owners => {
  const { bus, clock, approve, approvePayout } = options
  const logAction = createActionLog(options.log)
  return {
    refusalOf: (call) => refusalOfOwner(options, call),

    /** A refund or payout that the signer shall send is approved where payments or the ledger has accepted it. */
    async callService(call) {
      const { endpoint, actor, requestId, paramsJson, queryJson, bodyJson, expectedJson } = call
      const { operation, approvesRefund, approvesPayout } = endpoint.route
      const answer = await relay(bus, clock, operation.subject, {
        requestId,
        callerJson: callerJsonOf(actor),
        timeoutMs: options.timeoutMs + operation.waitsMs,
        safe: endpoint.safe,
        idempotencyKey: call.idempotencyKey,
        paramsJson,
        queryJson,
        bodyJson,
        expectedJson,
      })
      if (!answer.ok) return answer
      const confirmedBy = call.confirmedBy ?? null
      if (approvesPayout)
        return (await approvePayout({ requestId, actor, confirmedBy, paramsJson, bodyJson })) ?? answer
      if (!approvesRefund) return answer
      const reply: unknown = JSON.parse(Buffer.from(answer.data).toString('utf8'))
      return (await approve({ requestId, actor, confirmedBy, bodyJson, reply })) ?? answer
    },

    logAction({ requestId, endpoint, actor, paramsJson }, answer) {
      const { operation } = endpoint.route
      logAction({ requestId, operation, safe: endpoint.safe, client: actor, actor, paramsJson }, answer)
    },
  }
}
