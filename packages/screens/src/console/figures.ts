import { dailyTotals } from '@causeway/contracts'
import { periodOf, showOverview, type ReadTotals } from '../daily-totals/overview.ts'
import { html } from '../design/index.ts'
import { pageOf } from '../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../screen.ts'
import { consolePage, type ConsolePath, type StaffRequest } from './frame.ts'
import { MERCHANTS_PATH } from './merchants/view.ts'
import { namedLink, readNames } from './names.ts'
import { PARTNERS_PATH } from './partners/list-view.ts'
import { reviewFigures } from './review-figures.ts'

const FIGURES_PATH = '/console/figures'

type Subject = Readonly<{
  current: ConsolePath
  path: string
  /** Null: all customers of all partners. */
  ownerId: string | null
  read: ReadTotals
}>

const show = async (
  { current, path, ownerId, read }: Subject,
  request: StaffRequest,
  now: Date,
): Promise<Answer> => {
  const { session, query } = request
  const [overview, names, reviewed] = await Promise.all([
    showOverview({ path, query, now, read }),
    ownerId === null ? null : readNames(request, ownerId),
    ownerId === null && reviewFigures(request, periodOf(query), now),
  ])
  if (!overview.ok) return { kind: 'error', code: overview.code }
  return pageOf(
    consolePage({
      session,
      current,
      title: 'Figures',
      main: html`<h1>Figures</h1>
        <p>
          ${ownerId === null || names === null ? 'All customers of all partners.' : namedLink(ownerId, names)}
        </p>
        ${overview.main} ${reviewed}`,
    }),
  )
}

const platform = ({ ask }: StaffRequest): Subject => ({
  current: FIGURES_PATH,
  path: FIGURES_PATH,
  ownerId: null,
  read: (query) => ask(dailyTotals.listOfPlatform, { query }),
})

const partner = ({ ask, params: { partnerId = '' } }: StaffRequest): Subject => ({
  current: PARTNERS_PATH,
  path: `${PARTNERS_PATH}/${partnerId}/figures`,
  ownerId: partnerId,
  read: (query) => ask(dailyTotals.listOfPartner, { params: { partnerId }, query }),
})

const merchant = ({ ask, params: { customerId = '' } }: StaffRequest): Subject => ({
  current: MERCHANTS_PATH,
  path: `${MERCHANTS_PATH}/${customerId}/figures`,
  ownerId: customerId,
  read: (query) => ask(dailyTotals.listOfMerchant, { params: { customerId }, query }),
})

const SUBJECTS = {
  [FIGURES_PATH]: platform,
  [`${PARTNERS_PATH}/:partnerId/figures`]: partner,
  [`${MERCHANTS_PATH}/:customerId/figures`]: merchant,
}

/** Screens with the payments, refunds, disputes and fees of the platform, a partner or a merchant by day. */
export const figureScreens = (now: () => Date): readonly Screen[] =>
  Object.entries(SUBJECTS).map(([path, subjectOf]) =>
    sessionScreen('console', {
      method: 'GET',
      path,
      answer: (request) => show(subjectOf(request), request, now()),
    }),
  )
