import type { Paths, Handler, ManagedPlace, Place } from './place.ts'
import * as log from './log-screens.ts'
import * as redeliveries from './redelivery-screens.ts'
import * as webhooks from './webhook-screens.ts'
import { newWebhookPath } from './webhooks-view.ts'

/** A screen of the set, before an area mounts it. */
export type PlaceScreen<P extends Place = Place> = Readonly<{
  method: 'GET' | 'POST'
  path: string
  handler: Handler<P>
}>

const get = <P extends Place>(path: string, handler: Handler<P>): PlaceScreen<P> => ({
  method: 'GET',
  path,
  handler,
})
const post = <P extends Place>(path: string, handler: Handler<P>): PlaceScreen<P> => ({
  method: 'POST',
  path,
  handler,
})

/** Events, deliveries and redeliveries of an owner. @param paths with the parameters of the area's paths */
export const logScreens = (paths: Paths): readonly PlaceScreen[] => {
  const webhook = `${paths.webhooks}/:webhookId`
  return [
    get(paths.events, log.listEvents),
    get(`${paths.events}/:eventId`, log.showEvent),
    get(webhook, log.showWebhook),
    get(`${webhook}/events`, log.listEventsOfWebhook),
    get(`${webhook}/deliveries`, log.listDeliveries),
    get(`${webhook}/events/:eventId`, log.showDelivery),
    post(`${webhook}/events/:eventId/resend`, log.resend),
    get(`${webhook}/redeliveries`, redeliveries.listRedeliveries),
    post(`${webhook}/redeliveries`, redeliveries.redeliver),
    get(`${webhook}/redeliveries/:redeliveryId`, redeliveries.showRedelivery),
    post(`${webhook}/redeliveries/:redeliveryId/cancel`, redeliveries.cancelRedelivery),
  ]
}

/** All screens of an owner whose webhooks can be managed. @param paths with the parameters of the area's paths */
export const webhookScreens = (paths: Paths): readonly PlaceScreen<ManagedPlace>[] => {
  const webhook = `${paths.webhooks}/:webhookId`
  return [
    get(paths.list, webhooks.listWebhooks),
    get(newWebhookPath(paths), webhooks.showNew),
    post(newWebhookPath(paths), webhooks.create),
    get(`${webhook}/edit`, webhooks.showEdit),
    post(`${webhook}/edit`, webhooks.update),
    get(`${webhook}/delete`, webhooks.showDelete),
    post(`${webhook}/delete`, webhooks.remove),
    get(`${webhook}/secret`, webhooks.showRotate),
    post(`${webhook}/secret`, webhooks.rotate),
    post(`${webhook}/secret/end`, webhooks.endOverlap),
    post(`${webhook}/disable`, webhooks.disable),
    post(`${webhook}/enable`, webhooks.enable),
    post(`${webhook}/test`, webhooks.test),
    ...logScreens(paths),
  ]
}
