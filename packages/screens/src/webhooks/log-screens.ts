import { ERRORS } from '@causeway/contracts'
import { cursorOf, pageLinks } from '../paging.ts'
import { pageOf, redirectTo } from '../replies.ts'
import type { Answer, ScreenRequest } from '../screen.ts'
import { deliveriesPage, deliveryPage } from './delivery-view.ts'
import { eventPage, eventsPage } from './events-view.ts'
import { DELIVERY_STATES, EVENT_STATES, filterOf, queryOf } from './log-view.ts'
import { errorOf, hasReason, param, webhookPath, type Handler, type Place } from './place.ts'
import { webhookPage } from './webhook-view.ts'

/** Number of deliveries that the health of a webhook is computed from. */
const HEALTH_OF_LAST = '100'

export const showWebhook: Handler = async (request, place) => {
  const { client } = place
  const id = param(request, 'webhookId')
  const listed = await client.deliveries(id, { limit: HEALTH_OF_LAST })
  if (!listed.ok) return errorOf(listed)
  const found = await client.find(id)
  if (!found.ok) return errorOf(found)
  return pageOf(webhookPage(place, { id, webhook: found.value, deliveries: listed.value.items }))
}

export const listEvents: Handler = async (request, place) => {
  const { client, paths } = place
  const filter = filterOf(request.query, EVENT_STATES, client.types)
  const listed = await client.events({ ...queryOf(filter), ...cursorOf(request) })
  if (!listed.ok) return errorOf(listed)
  const { items: events, next } = listed.value
  const page = pageLinks(paths.events, request, next)
  return pageOf(eventsPage(place, { webhookId: null, events, filter, page }))
}

export const listEventsOfWebhook: Handler = async (request, place) => {
  const { client, paths } = place
  const webhookId = param(request, 'webhookId')
  const filter = filterOf(request.query, EVENT_STATES, client.types)
  const listed = await client.eventsOf(webhookId, { ...queryOf(filter), ...cursorOf(request) })
  if (!listed.ok) return errorOf(listed)
  const { items: events, next } = listed.value
  const page = pageLinks(`${webhookPath(paths, webhookId)}/events`, request, next)
  return pageOf(eventsPage(place, { webhookId, events, filter, page }))
}

export const showEvent: Handler = async (request, place) => {
  const found = await place.client.event(param(request, 'eventId'))
  if (!found.ok) return errorOf(found)
  const history = place.history === null ? null : await place.history(found.value)
  return pageOf(eventPage(place, found.value, history))
}

export const listDeliveries: Handler = async (request, place) => {
  const { client, paths } = place
  const webhookId = param(request, 'webhookId')
  const filter = filterOf(request.query, DELIVERY_STATES, client.types)
  const listed = await client.deliveries(webhookId, { ...queryOf(filter), ...cursorOf(request) })
  if (!listed.ok) return errorOf(listed)
  const { items: deliveries, next } = listed.value
  const page = pageLinks(`${webhookPath(paths, webhookId)}/deliveries`, request, next)
  return pageOf(deliveriesPage(place, { webhookId, deliveries, filter, page }))
}

const answerDelivery = async (
  request: ScreenRequest,
  place: Place,
  problem: string | null,
  status = 200,
): Promise<Answer> => {
  const { client } = place
  const [webhookId, eventId] = [param(request, 'webhookId'), param(request, 'eventId')]
  const listed = await client.deliveries(webhookId, { event_id: eventId })
  if (!listed.ok) return errorOf(listed)
  const found = await client.event(eventId)
  if (!found.ok) return errorOf(found)
  const [delivery = null] = listed.value.items
  return pageOf(deliveryPage(place, { webhookId, event: found.value, delivery, problem }), status)
}

export const showDelivery: Handler = (request, place) => answerDelivery(request, place, null)

export const resend: Handler = async (request, place) => {
  const [webhookId, eventId] = [param(request, 'webhookId'), param(request, 'eventId')]
  const sent = await place.client.resend(webhookId, eventId)
  if (sent.ok) return redirectTo(`${webhookPath(place.paths, webhookId)}/events/${eventId}`)
  if (!hasReason(sent, 'not_subscribed')) return errorOf(sent)
  const problem = 'This webhook is not subscribed to this event type. Change its events first.'
  return answerDelivery(request, place, problem, ERRORS.invalid_state.status)
}
