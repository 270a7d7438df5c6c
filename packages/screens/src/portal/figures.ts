import { dailyTotals } from '@causeway/contracts'
import { showOverview } from '../daily-totals/overview.ts'
import { html } from '../design/index.ts'
import { pageOf } from '../replies.ts'
import type { Answer } from '../screen.ts'
import { FIGURES_PATH, portalPage, type PortalRequest } from './frame.ts'

/** Shows how a merchant's payments, or those of all customers of a partner, develop. */
export const showFigures = async ({ ask, session, query }: PortalRequest, now: Date): Promise<Answer> => {
  const { principal } = session
  const overview = await showOverview({
    path: FIGURES_PATH,
    query,
    now,
    read: (since) =>
      principal.kind === 'merchant'
        ? ask(dailyTotals.listByMerchant, { query: since })
        : ask(dailyTotals.listOfPartner, { params: { partnerId: principal.partnerId }, query: since }),
  })
  if (!overview.ok) return { kind: 'error', code: overview.code }
  return pageOf(
    portalPage({
      session,
      current: FIGURES_PATH,
      title: 'Figures',
      main: html`<h1>Figures</h1>
        ${principal.kind === 'partner' && html`<p>All your customers together.</p>`} ${overview.main}`,
    }),
  )
}
