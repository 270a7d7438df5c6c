import { ERRORS, MERCHANT_EVENTS, type RedeliveryRequest } from '@causeway/contracts'
import { formWith, type FormState } from '../form-state.ts'
import { cursorOf, pageLinks } from '../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../replies.ts'
import type { Answer } from '../screen.ts'
import type { Refused, WebhookClient } from './client.ts'
import { deliveriesPage, deliveryPage } from './delivery-view.ts'
import { eventPage, eventsPage } from './events-view.ts'
import { clientOf, errorOf, EVENTS_PATH, param, webhookPath, type PortalRequest } from './frame.ts'
import { DELIVERY_STATES, EVENT_STATES, filterOf, queryOf, toTimestamp } from './log-view.ts'
import { redeliveriesPage } from './redeliveries-view.ts'

/** Types that the log of an owner may have, but for test calls. */
const typesOf = ({ choosableTypes }: WebhookClient): readonly string[] =>
  choosableTypes ?? MERCHANT_EVENTS.filter((name) => name !== 'test')

export const listEvents = async (request: PortalRequest): Promise<Answer> => {
  const client = clientOf(request)
  const filter = filterOf(request.query, EVENT_STATES)
  const listed = await client.events({ ...queryOf(filter), ...cursorOf(request) })
  if (!listed.ok) return errorOf(listed)
  const { items: events, next } = listed.value
  const page = pageLinks(EVENTS_PATH, request, next)
  return pageOf(eventsPage({ session: request.session, events, filter, types: typesOf(client), page }))
}

export const showEvent = async (request: PortalRequest): Promise<Answer> => {
  const found = await clientOf(request).event(param(request, 'eventId'))
  return found.ok ? pageOf(eventPage(request.session, found.value)) : errorOf(found)
}

export const listDeliveries = async (request: PortalRequest): Promise<Answer> => {
  const client = clientOf(request)
  const webhookId = param(request, 'webhookId')
  const filter = filterOf(request.query, DELIVERY_STATES)
  const listed = await client.deliveries(webhookId, { ...queryOf(filter), ...cursorOf(request) })
  if (!listed.ok) return errorOf(listed)
  const { items: deliveries, next } = listed.value
  const page = pageLinks(`${webhookPath(webhookId)}/deliveries`, request, next)
  const { session } = request
  return pageOf(deliveriesPage({ session, webhookId, deliveries, filter, types: typesOf(client), page }))
}

export const showDelivery = async (
  request: PortalRequest,
  problem: string | null = null,
  status = 200,
): Promise<Answer> => {
  const client = clientOf(request)
  const [webhookId, eventId] = [param(request, 'webhookId'), param(request, 'eventId')]
  const listed = await client.deliveries(webhookId, { event_id: eventId })
  if (!listed.ok) return errorOf(listed)
  const found = await client.event(eventId)
  if (!found.ok) return errorOf(found)
  const [delivery = null] = listed.value.items
  return pageOf(
    deliveryPage({ session: request.session, webhookId, event: found.value, delivery, problem }),
    status,
  )
}

const hasReason = ({ details = [] }: Refused, reason: string): boolean =>
  details.some((detail) => detail['reason'] === reason)

export const resend = async (request: PortalRequest): Promise<Answer> => {
  const [webhookId, eventId] = [param(request, 'webhookId'), param(request, 'eventId')]
  const sent = await clientOf(request).resend(webhookId, eventId)
  if (sent.ok) return redirectTo(`${webhookPath(webhookId)}/events/${eventId}`)
  if (!hasReason(sent, 'not_subscribed')) return errorOf(sent)
  const problem = 'This webhook does not take this type of event. Change what it takes first.'
  return showDelivery(request, problem, ERRORS.invalid_state.status)
}

export const listRedeliveries = async (
  request: PortalRequest,
  state: FormState = formWith(),
  status = 200,
): Promise<Answer> => {
  const webhookId = param(request, 'webhookId')
  const listed = await clientOf(request).redeliveries(webhookId)
  if (!listed.ok) return errorOf(listed)
  const { session } = request
  return pageOf(redeliveriesPage({ session, webhookId, redeliveries: listed.value, state }), status)
}

/** What the form asks for; what cannot be read goes to the operation as it is, which refuses it. */
const requestOf = (form: URLSearchParams): RedeliveryRequest => {
  const entered = (name: string) => (form.get(name) ?? '').trim()
  const [until, status, pace] = [entered('until'), entered('status'), entered('per_second')]
  return {
    since: toTimestamp(entered('since')),
    ...(until !== '' && { until: toTimestamp(until) }),
    ...(status !== '' && { status }),
    ...(pace !== '' && { per_second: /^\d{1,6}$/.test(pace) ? Number(pace) : pace }),
  } as RedeliveryRequest
}

export const redeliver = async (request: PortalRequest): Promise<Answer> => {
  const webhookId = param(request, 'webhookId')
  const { form } = request
  const started = await clientOf(request).redeliver(webhookId, requestOf(form))
  if (started.ok) return redirectTo(`${webhookPath(webhookId)}/redeliveries`)
  if (hasReason(started, 'already_running')) {
    const problem = 'One is running already. Wait until it has ended, or stop it.'
    return listRedeliveries(request, { ...formWith(form), problem }, ERRORS.invalid_state.status)
  }
  return answerRefusedForm(started, form, (state, status) => listRedeliveries(request, state, status))
}

export const cancelRedelivery = async (request: PortalRequest): Promise<Answer> => {
  const webhookId = param(request, 'webhookId')
  const cancelled = await clientOf(request).cancelRedelivery(webhookId, param(request, 'redeliveryId'))
  return cancelled.ok ? redirectTo(`${webhookPath(webhookId)}/redeliveries`) : errorOf(cancelled)
}
