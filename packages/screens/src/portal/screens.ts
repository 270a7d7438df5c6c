import { sessionScreen, type Screen, type Answer } from '../screen.ts'
import { merchantClient } from '../webhooks/merchant-client.ts'
import { partnerClient } from '../webhooks/partner-client.ts'
import type { ManagedPlace, Paths } from '../webhooks/place.ts'
import { webhookScreens } from '../webhooks/screens.ts'
import { entryScreens } from './entry.ts'
import {
  EVENTS_PATH,
  portalForm,
  portalPage,
  SESSIONS_PATH,
  WEBHOOKS_PATH,
  type PortalRequest,
} from './frame.ts'
import { html, submit } from '../design/index.ts'
import { ownSessionsTable } from '../own-sessions.ts'
import { pageOf, redirectTo } from '../replies.ts'

const listSessions = async ({ session }: PortalRequest): Promise<Answer> => {
  const own = ownSessionsTable(await session.listOwn(), (id) =>
    portalForm(session, `${SESSIONS_PATH}/${id}/end`, submit('End session', 'quiet')),
  )
  return pageOf(
    portalPage({
      session,
      current: SESSIONS_PATH,
      title: 'Sessions',
      main: html`<h1>Sessions</h1>
        <p>Browsers that are signed in as the ${session.principal.kind}.</p>
        ${own}`,
    }),
  )
}

const endSession = async (request: PortalRequest): Promise<Answer> =>
  (await request.session.endOwn(request.params['sessionId'] ?? ''))
    ? redirectTo(SESSIONS_PATH)
    : { kind: 'error', code: 'resource_not_found' }

const PATHS: Paths = { list: WEBHOOKS_PATH, webhooks: '/portal/webhooks', events: EVENTS_PATH }

/** Shows the webhooks of the signed-in partner or merchant, who may change all of them. */
const placeOf = ({ ask, session }: PortalRequest): ManagedPlace => {
  const { principal } = session
  return {
    client: principal.kind === 'partner' ? partnerClient(ask, principal.partnerId) : merchantClient(ask),
    paths: PATHS,
    mayChange: true,
    page: ({ current, ...content }) =>
      portalPage({ ...content, session, current: current === 'events' ? EVENTS_PATH : WEBHOOKS_PATH }),
    form: (action, content) => portalForm(session, action, content),
    secretAdvice: null,
    history: null,
  }
}

/** The screens of the webhook portal, for partners and merchants (decisions §22). */
export const portalScreens = (): readonly Screen[] => [
  ...entryScreens,
  ...webhookScreens(PATHS).map(({ method, path, handler }) =>
    sessionScreen('portal', {
      method,
      path,
      answer: async (request) => handler(request, placeOf(request)),
    }),
  ),
  sessionScreen('portal', { method: 'GET', path: SESSIONS_PATH, answer: listSessions }),
  sessionScreen('portal', {
    method: 'POST',
    path: `${SESSIONS_PATH}/:sessionId/end`,
    answer: endSession,
  }),
]
