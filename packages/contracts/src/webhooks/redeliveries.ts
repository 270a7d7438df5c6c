import { z } from 'zod'
import { del, get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp, TimestampInput } from '../primitives.ts'
import {
  EventStatus,
  LOG_OF_ENDPOINTS,
  LOG_OF_MERCHANT,
  LOG_OF_PARTNER,
  LoggedWebhookId,
  OWN_LOG,
  type LogOwner,
  type LogParams,
  type LogReader,
} from './webhook-log.ts'

/** Deliveries a second of a redelivery: the default and the maximum. */
export const REDELIVERY_PACE = { standard: 50, most: 500 } as const
const perSecond = z.number().int().min(1).max(REDELIVERY_PACE.most)

/** Events of a redelivery: every one since a time, or those of one status at the destination. */
export const RedeliveryRequest = z.strictObject({
  since: TimestampInput.meta({ description: 'Earliest creation of an event, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest creation, exclusive; default now' }),
  status: EventStatus.exclude(['waiting']).optional().meta({
    description: 'Restricts to dead, delivered or missed events; default: all',
  }),
  per_second: perSecond.optional().meta({
    description: `Maximum deliveries per second, default ${REDELIVERY_PACE.standard}`,
  }),
})
export type RedeliveryRequest = z.infer<typeof RedeliveryRequest>

export const RedeliveryStatus = z.enum(['running', 'done', 'cancelled'])

/** A redelivery and its progress. */
export const Redelivery = z.object({
  redelivery_id: idOf('redelivery'),
  webhook_id: LoggedWebhookId,
  status: RedeliveryStatus,
  event_status: EventStatus.nullable(),
  since: Timestamp,
  until: Timestamp,
  per_second: perSecond,
  /** Number of deliveries that were made due so far. */
  sent: z.number().int(),
  /** Creation time of the last event scanned; it moves from `since` to `until`. */
  reached: Timestamp,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Redelivery = z.infer<typeof Redelivery>

const reply = z.object({ redelivery: Redelivery })
const ofDestination = <P extends LogParams>({ params }: LogOwner<P, LogReader>) =>
  z.object({ ...params, webhookId: LoggedWebhookId })
const one = <P extends LogParams>({ params }: LogOwner<P, LogReader>) =>
  z.object({ ...params, webhookId: LoggedWebhookId, redeliveryId: idOf('redelivery') })

const create = <P extends LogParams, C extends LogReader>(owner: LogOwner<P, C>) =>
  operation({
    operationId: `create${owner.inId}Redelivery`,
    http: post(`${owner.destinations}/:webhookId/redeliveries`, { ...owner.sendHttp, status: 201 }),
    role: owner.sends,
    tag: owner.tag,
    audited: owner.audited,
    summary:
      'Send events again from a time on, oldest first, at a limited rate; one redelivery per destination at a time',
    description:
      'Use it after an outage of a receiver: name its start, and the events since then that were delivered, dead or missed are sent again, each with its original `event_id`.',
    caller: owner.caller,
    params: ofDestination(owner),
    body: RedeliveryRequest,
    reply,
    refusals: ['resource_not_found', 'invalid_state'],
  })

export const RedeliveryList = z.object({ redeliveries: z.array(Redelivery) })

const list = <P extends LogParams, C extends LogReader>(owner: LogOwner<P, C>) =>
  operation({
    operationId: `list${owner.inId}Redeliveries`,
    http: get(`${owner.destinations}/:webhookId/redeliveries`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'List the redeliveries of a destination, newest first',
    description: 'Use it to see running and earlier redeliveries.',
    caller: owner.caller,
    params: ofDestination(owner),
    reply: RedeliveryList,
    refusals: ['resource_not_found'],
  })

const getRedelivery = <P extends LogParams, C extends LogReader>(owner: LogOwner<P, C>) =>
  operation({
    operationId: `get${owner.inId}Redelivery`,
    http: get(`${owner.destinations}/:webhookId/redeliveries/:redeliveryId`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'Get the progress of a redelivery',
    description: 'Use it during a redelivery: `reached` moves from `since` to `until`.',
    caller: owner.caller,
    params: one(owner),
    reply,
    refusals: ['resource_not_found'],
  })

const cancel = <P extends LogParams, C extends LogReader>(owner: LogOwner<P, C>) =>
  operation({
    operationId: `cancel${owner.inId}Redelivery`,
    http: del(`${owner.destinations}/:webhookId/redeliveries/:redeliveryId`, owner.sendHttp),
    role: owner.sends,
    tag: owner.tag,
    audited: owner.audited,
    summary: 'Stop a redelivery; deliveries that are already due are still sent',
    description: 'Use it when a receiver cannot keep up, or the start time was wrong.',
    caller: owner.caller,
    params: one(owner),
    reply,
    refusals: ['resource_not_found'],
  })

/**
 * `webhooks.redeliveries`: sending a destination's events again in bulk: by staff (decisions §14), by a merchant under
 * its API key (decisions §12), and by a partner (decisions §55).
 */
export const redeliveries = resource('webhooks.redeliveries', {
  create: create(LOG_OF_PARTNER),
  list: list(LOG_OF_PARTNER),
  get: getRedelivery(LOG_OF_PARTNER),
  cancel: cancel(LOG_OF_PARTNER),
  createOfMerchant: create(LOG_OF_MERCHANT),
  listOfMerchant: list(LOG_OF_MERCHANT),
  getOfMerchant: getRedelivery(LOG_OF_MERCHANT),
  cancelOfMerchant: cancel(LOG_OF_MERCHANT),
  createOwn: create(OWN_LOG),
  listOwn: list(OWN_LOG),
  getOwn: getRedelivery(OWN_LOG),
  cancelOwn: cancel(OWN_LOG),
  createOfEndpoint: create(LOG_OF_ENDPOINTS),
  listOfEndpoint: list(LOG_OF_ENDPOINTS),
  getOfEndpoint: getRedelivery(LOG_OF_ENDPOINTS),
  cancelOfEndpoint: cancel(LOG_OF_ENDPOINTS),
})
