import { sessionScreen, type Answer, type Screen } from '../screen.ts'
import { entryScreens } from './entry.ts'
import { EVENTS_PATH, SESSIONS_PATH, webhookPath, WEBHOOKS_PATH, type PortalRequest } from './frame.ts'
import * as log from './log-screens.ts'
import { endSession, listSessions } from './session-screens.ts'
import * as webhooks from './webhook-screens.ts'
import { NEW_WEBHOOK_PATH } from './webhooks-view.ts'

type Handler = (request: PortalRequest) => Answer | Promise<Answer>

const screen =
  (method: 'GET' | 'POST') =>
  (path: string, handler: Handler): Screen =>
    sessionScreen('portal', { method, path, answer: async (request) => handler(request) })
const get = screen('GET')
const post = screen('POST')

const WEBHOOK = webhookPath(':webhookId')

/** The screens of partners' and merchants' people (decisions §22). */
export const portalScreens = (): readonly Screen[] => [
  ...entryScreens,

  get(WEBHOOKS_PATH, webhooks.listWebhooks),
  get(NEW_WEBHOOK_PATH, (request) => webhooks.showNew(request)),
  post(NEW_WEBHOOK_PATH, webhooks.create),
  get(WEBHOOK, webhooks.showWebhook),
  get(`${WEBHOOK}/edit`, webhooks.showEdit),
  post(`${WEBHOOK}/edit`, webhooks.update),
  get(`${WEBHOOK}/delete`, webhooks.showDelete),
  post(`${WEBHOOK}/delete`, webhooks.remove),
  get(`${WEBHOOK}/secret`, webhooks.showRotate),
  post(`${WEBHOOK}/secret`, webhooks.rotate),
  post(`${WEBHOOK}/secret/end`, webhooks.endOverlap),
  post(`${WEBHOOK}/disable`, webhooks.disable),
  post(`${WEBHOOK}/enable`, webhooks.enable),
  post(`${WEBHOOK}/test`, webhooks.test),

  get(SESSIONS_PATH, listSessions),
  post(`${SESSIONS_PATH}/:sessionId/end`, endSession),

  get(EVENTS_PATH, log.listEvents),
  get(`${EVENTS_PATH}/:eventId`, log.showEvent),
  get(`${WEBHOOK}/deliveries`, log.listDeliveries),
  get(`${WEBHOOK}/events/:eventId`, (request) => log.showDelivery(request)),
  post(`${WEBHOOK}/events/:eventId/resend`, log.resend),
  get(`${WEBHOOK}/redeliveries`, (request) => log.listRedeliveries(request)),
  post(`${WEBHOOK}/redeliveries`, log.redeliver),
  post(`${WEBHOOK}/redeliveries/:redeliveryId/cancel`, log.cancelRedelivery),
]
