import { sessionScreen, type Screen, type Answer } from '../screen.ts'
import { merchantClient } from '../webhooks/merchant-client.ts'
import { partnerClient } from '../webhooks/partner-client.ts'
import type { ManagedPlace, Paths } from '../webhooks/place.ts'
import { webhookScreens } from '../webhooks/screens.ts'
import { entryScreens } from './entry.ts'
import { showFigures } from './figures.ts'
import { downloadPayments, listPayments, PAYMENTS_FILE_PATH, showPayment } from './payments.ts'
import {
  EVENTS_PATH,
  FIGURES_PATH,
  PAYMENTS_PATH,
  portalForm,
  portalPage,
  SESSIONS_PATH,
  WEBHOOKS_PATH,
  type PortalRequest,
  type PortalSession,
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
import { preferencesSection } from './people/preferences.ts'
import { portalPeopleScreens } from './people/screens.ts'
import { mayCallInPortal, registrations } from '@causeway/contracts'
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
        <p>
          ${
            session.principal.person === undefined || session.principal.person.role === 'owner'
              ? `Browsers that are signed in as the ${session.principal.kind}.`
              : 'Browsers in which you are signed in.'
          }
        </p>
        ${own} ${await preferencesSection(session)}`,
    }),
  )
}

const endSession = async (request: PortalRequest): Promise<Answer> =>
  (await request.session.endOwn(request.params['sessionId'] ?? ''))
    ? redirectTo(SESSIONS_PATH)
    : { kind: 'error', code: 'resource_not_found' }

const PATHS: Paths = { list: WEBHOOKS_PATH, webhooks: '/portal/webhooks', events: EVENTS_PATH }

/** True for the roles that manage webhooks, and for sessions of links. The gateway enforces it; pages only hide forms. */
const mayChangeWebhooks = ({ principal: { person } }: PortalSession): boolean =>
  person === undefined || mayCallInPortal(person.role, registrations.create.subject)

/** Shows the webhooks of the signed-in partner or merchant. */
const placeOf = ({ ask, session }: PortalRequest): ManagedPlace => {
  const { principal } = session
  return {
    client: principal.kind === 'partner' ? partnerClient(ask, principal.partnerId) : merchantClient(ask),
    paths: PATHS,
    mayChange: mayChangeWebhooks(session),
    page: ({ current, ...content }) =>
      portalPage({ ...content, session, current: current === 'events' ? EVENTS_PATH : WEBHOOKS_PATH }),
    form: (action, content) => portalForm(session, action, content),
    secretAdvice: null,
    history: null,
  }
}

/** Pages about money. Those of a merchant's balances and payouts refuse a partner's people. */
const MONEY_PAGES: Readonly<Record<string, (request: PortalRequest, now: Date) => Promise<Answer>>> = {
  [BALANCES_PATH]: showBalances,
  [ENTRIES_PATH]: listEntries,
  [ORDER_PATH]: showOrder,
  [PAYOUTS_PATH]: listPayouts,
  [payoutPath(':payoutId')]: showPayout,
  [`${STATEMENTS_PATH}/:month`]: showStatement,
  [`${STATEMENTS_PATH}/:month/pdf`]: downloadStatement,
  [PAYMENTS_PATH]: listPayments,
  [PAYMENTS_FILE_PATH]: downloadPayments,
  [`${PAYMENTS_PATH}/:orderId`]: showPayment,
  [FIGURES_PATH]: showFigures,
}

/** The screens of the portal, for partners and merchants (decisions §22). */
export const portalScreens = (now: () => Date): readonly Screen[] => [
  ...entryScreens,
  ...brandScreens,
  ...portalPeopleScreens(now),
  ...Object.entries(MONEY_PAGES).map(([path, answer]) =>
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
