import { wallets, type MerchantBalance } from '@causeway/contracts'
import { amountInUnit, emptyState, html, linkButton, table, type Html } from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { portalPage, type PortalRequest } from '../frame.ts'
import { BALANCES_PATH, ENTRIES_PATH, STATEMENTS_PATH } from './paths.ts'

const SHOWN_MONTHS = 12

const balanceTable = (caption: string, rows: readonly MerchantBalance[], first: 'unit' | 'owner'): Html => {
  const amount = (heading: string, of: (row: MerchantBalance) => number | string) => ({
    heading,
    cell: (row: MerchantBalance) => amountInUnit(of(row), row.unit),
    isNumber: true,
  })
  const unit = { heading: 'Unit', cell: (row: MerchantBalance) => row.unit }
  const owner = {
    heading: 'Relationship',
    cell: (row: MerchantBalance) => html`<code>${row.partnerCustomerId ?? ''}</code>`,
  }
  return table({
    caption,
    columns: [
      ...(first === 'unit' ? [unit] : [owner, unit]),
      amount('Pending', (row) => row.pending),
      amount('Available', (row) => row.available),
      amount('Reserved', (row) => row.reserved),
      amount('On the way', (row) => row.onTheWay),
    ],
    rows,
    empty: 'No balances yet.',
  })
}

/** The latest months, newest first. */
const monthsBefore = (now: Date): string[] =>
  Array.from({ length: SHOWN_MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )

const statementLinks = (now: Date): Html =>
  html`<section class="sheet" aria-labelledby="statements">
    <h2 id="statements">Statements</h2>
    <ul>
      ${monthsBefore(now).map((month) => html`<li><a href="${STATEMENTS_PATH}/${month}">${month}</a></li>`)}
    </ul>
  </section>`

/** Shows what is owed to the merchant: in total, and by relationship where there are several. */
export const showBalances = async ({ ask, session }: PortalRequest, now: Date): Promise<Answer> => {
  const reply = await ask(wallets.listByMerchant, {})
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const sums = reply.value.balances.filter(({ partnerCustomerId }) => partnerCustomerId === null)
  const parts = reply.value.balances.filter(({ partnerCustomerId }) => partnerCustomerId !== null)
  const owners = new Set(parts.map(({ partnerCustomerId }) => partnerCustomerId))
  return pageOf(
    portalPage({
      session,
      current: BALANCES_PATH,
      title: 'Balances',
      main: html`<h1>Balances</h1>
        <p>
          A payment is pending first, then available. A payout takes what is available; it is on the way until
          it has arrived.
        </p>
        ${sums.length === 0 ? emptyState('No balances yet. They begin with the first payment.') : balanceTable('All relationships together', sums, 'unit')}
        ${owners.size > 1 && balanceTable('By relationship', parts, 'owner')}
        <p class="actions">${linkButton(ENTRIES_PATH, 'All entries', 'quiet')}</p>
        ${statementLinks(now)}`,
    }),
  )
}
