import { html, type Html } from '../design/index.ts'
import { sessionScreen, type Ask, type Screen } from '../screen.ts'
import type { LogClient, WebhookClient } from '../webhooks/client.ts'
import { merchantLogClient } from '../webhooks/log-client.ts'
import { partnerClient } from '../webhooks/partner-client.ts'
import type { Paths, Place } from '../webhooks/place.ts'
import { logScreens, webhookScreens, type PlaceScreen } from '../webhooks/screens.ts'
import { consoleForm, consolePage, type ConsolePath, type StaffRequest } from './frame.ts'
import { historyOf, readStaffActions } from './history.ts'
import { MERCHANTS_PATH } from './merchants/view.ts'
import { PARTNERS_PATH } from './partners/list-view.ts'
import { mayDo } from './roles.ts'

/** An owner of webhooks, and the client with which staff see them. */
type Owner<C extends LogClient = LogClient> = Readonly<{
  parameter: 'partnerId' | 'customerId'
  path: ConsolePath
  title: string
  hasList: boolean
  clientOf: (ask: Ask, id: string) => C
}>

const PARTNER: Owner<WebhookClient> = {
  parameter: 'partnerId',
  path: PARTNERS_PATH,
  title: 'Partner',
  hasList: true,
  clientOf: partnerClient,
}
const MERCHANT: Owner = {
  parameter: 'customerId',
  path: MERCHANTS_PATH,
  title: 'Merchant',
  hasList: false,
  clientOf: merchantLogClient,
}

const pathsOf = ({ path }: Owner, id: string): Paths => ({
  list: `${path}/${id}/webhooks`,
  webhooks: `${path}/${id}/webhooks`,
  events: `${path}/${id}/webhook-events`,
})

/** Renders whose pages these are, with the way back. */
const ownerLinks = ({ path, title, hasList }: Owner, id: string, { list, events }: Paths): Html =>
  html`<p class="hint">
    ${title} <a href="${path}/${id}">${id}</a>${hasList && html` · <a href="${list}">Webhooks</a>`} ·
    <a href="${events}">Event log</a>
  </p>`

/** Shows the webhooks of one owner to staff. */
const placeOf = <C extends LogClient>(owner: Owner<C>, request: StaffRequest): Place<C> => {
  const { ask, session, params } = request
  const id = params[owner.parameter] ?? ''
  const paths = pathsOf(owner, id)
  return {
    client: owner.clientOf(ask, id),
    paths,
    mayChange: mayDo(session, 'admin'),
    page: ({ current: _, main, ...content }) =>
      consolePage({
        ...content,
        session,
        current: owner.path,
        main: html`${ownerLinks(owner, id, paths)} ${main}`,
      }),
    form: (action, content) => consoleForm(session, action, content),
    secretAdvice: 'Send it to the partner through a secure channel.',
    history: async ({ event_id: eventId, created_at: at }) =>
      historyOf(eventId, [{ at, title: 'Created' }], await readStaffActions(request, eventId)),
  }
}

const mounted = <C extends LogClient>(
  owner: Owner<C>,
  screens: (paths: Paths) => readonly PlaceScreen<Place<C>>[],
): readonly Screen[] =>
  screens(pathsOf(owner, `:${owner.parameter}`)).map(({ method, path, handler }) =>
    sessionScreen('console', {
      method,
      path,
      answer: async (request) => handler(request, placeOf(owner, request)),
    }),
  )

/** Webhooks of partners; events, deliveries and redeliveries of partners and merchants. */
export const ownerWebhookScreens: readonly Screen[] = [
  ...mounted(PARTNER, webhookScreens),
  ...mounted(MERCHANT, logScreens),
]
