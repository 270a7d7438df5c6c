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
import { listEntries } from './balances/entries.ts'
import { showOrder } from './balances/order.ts'
import { showBalances } from './balances/overview.ts'
import {
  BALANCES_PATH,
  ENTRIES_PATH,
  ORDER_PATH,
  PAYOUTS_PATH,
  payoutPath,
  STATEMENTS_PATH,
} from './balances/paths.ts'
import { listPayouts, showPayout } from './balances/payouts.ts'
import { downloadStatement, showStatement } from './balances/statements.ts'
import { brandScreens } from './brand/screens.ts'
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

/** Pages about the merchant's money: a partner's people have none. */
const MERCHANT_PAGES: Readonly<Record<string, (request: PortalRequest, now: Date) => Promise<Answer>>> = {
  [BALANCES_PATH]: showBalances,
  [ENTRIES_PATH]: listEntries,
  [ORDER_PATH]: showOrder,
  [PAYOUTS_PATH]: listPayouts,
  [payoutPath(':payoutId')]: showPayout,
  [`${STATEMENTS_PATH}/:month`]: showStatement,
  [`${STATEMENTS_PATH}/:month/pdf`]: downloadStatement,
}

/** The screens of the portal, for partners and merchants (decisions §22). */
export const portalScreens = (now: () => Date): readonly Screen[] => [
  ...entryScreens,
  ...brandScreens,
  ...Object.entries(MERCHANT_PAGES).map(([path, answer]) =>
    sessionScreen('portal', { method: 'GET', path, answer: (request) => answer(request, now()) }),
  ),
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
