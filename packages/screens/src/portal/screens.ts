import { sessionScreen, type Screen } from '../screen.ts'
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
import { endSession, listSessions } from './session-screens.ts'

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
