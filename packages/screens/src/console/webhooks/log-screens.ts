import type { DeliveryStatus } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import type { StaffRequest } from '../frame.ts'
import { readStaffActions } from '../history.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { pageOf, redirectTo } from '../../replies.ts'
import { deliveriesPage } from './delivery-view.ts'
import { eventPage, eventsPage, type LogFilter } from './event-views.ts'
import { ownerParams, placeOf, type LogOwner } from './owner.ts'

const webhookIdOf = ({ params }: StaffRequest): string => params['webhookId'] ?? ''

const filterOf = ({ query }: StaffRequest): LogFilter => ({
  status: query.get('status') ?? '',
  event_type: (query.get('event_type') ?? '').trim(),
})

/** The query of a list. What is no status of it, its operation refuses. */
const queryOf = (request: StaffRequest) => {
  const { status, event_type: type } = filterOf(request)
  return {
    ...cursorOf(request),
    ...(status !== '' && { status: status as DeliveryStatus }),
    ...(type !== '' && { event_type: type }),
  }
}

const showEvents = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const place = placeOf(owner, request)
  const reply = await request.ask(owner.listEvents, {
    params: ownerParams(owner, request),
    query: queryOf(request),
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { events, next_cursor: next } = reply.value
  const page = pageLinks(`${place.path}/webhook-events`, request, next)
  const { session } = request
  return pageOf(eventsPage({ session, place, webhookId: null, events, filter: filterOf(request), page }))
}

const showEvent = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const params = { ...ownerParams(owner, request), eventId: request.params['eventId'] ?? '' }
  const reply = await request.ask(owner.getEvent, { params })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { event } = reply.value
  const staffActions = await readStaffActions(request, event.event_id)
  const { session } = request
  return pageOf(eventPage({ session, place: placeOf(owner, request), event, staffActions }))
}

const showEventsOfDestination = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const place = placeOf(owner, request)
  const webhookId = webhookIdOf(request)
  const reply = await request.ask(owner.listEventsOfDestination, {
    params: { ...ownerParams(owner, request), webhookId },
    query: queryOf(request),
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { events, next_cursor: next } = reply.value
  const page = pageLinks(`${place.path}/webhooks/${webhookId}/events`, request, next)
  const { session } = request
  return pageOf(eventsPage({ session, place, webhookId, events, filter: filterOf(request), page }))
}

const showDeliveries = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const place = placeOf(owner, request)
  const webhookId = webhookIdOf(request)
  const reply = await request.ask(owner.listDeliveries, {
    params: { ...ownerParams(owner, request), webhookId },
    query: queryOf(request),
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { deliveries, next_cursor: next } = reply.value
  const page = pageLinks(`${place.path}/webhooks/${webhookId}/deliveries`, request, next)
  const { session } = request
  return pageOf(deliveriesPage({ session, place, webhookId, deliveries, filter: filterOf(request), page }))
}

const redeliver = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const webhookId = webhookIdOf(request)
  const params = {
    ...ownerParams(owner, request),
    webhookId,
    deliveryId: request.params['deliveryId'] ?? '',
  }
  const reply = await request.ask(owner.redeliver, { params })
  return reply.ok
    ? redirectTo(`${placeOf(owner, request).path}/webhooks/${webhookId}/deliveries`)
    : { kind: 'error', code: reply.code }
}

const resend = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const webhookId = webhookIdOf(request)
  const eventId = request.params['eventId'] ?? ''
  const params = { ...ownerParams(owner, request), webhookId, eventId }
  const reply = await request.ask(owner.resend, { params })
  return reply.ok
    ? redirectTo(`${placeOf(owner, request).path}/webhook-events/${eventId}`)
    : { kind: 'error', code: reply.code }
}

/** The events of an owner, and the deliveries of its destinations. */
export const logScreens = (owner: LogOwner): readonly Screen[] => {
  const root = `${owner.path}/:${owner.parameter}`
  const destination = `${root}/webhooks/:webhookId`
  const at = (
    method: 'GET' | 'POST',
    path: string,
    answer: (owner: LogOwner, request: StaffRequest) => Promise<Answer>,
  ): Screen => sessionScreen('console', { method, path, answer: (request) => answer(owner, request) })
  return [
    at('GET', `${root}/webhook-events`, showEvents),
    at('GET', `${root}/webhook-events/:eventId`, showEvent),
    at('GET', `${destination}/events`, showEventsOfDestination),
    at('POST', `${destination}/events/:eventId/resend`, resend),
    at('GET', `${destination}/deliveries`, showDeliveries),
    at('POST', `${destination}/deliveries/:deliveryId/redeliver`, redeliver),
  ]
}
