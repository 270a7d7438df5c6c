import { paidOut, type Operation } from '@causeway/contracts'
import type { z } from 'zod'
import {
  amountInUnit,
  definitionList,
  html,
  pagination,
  table,
  taggedStatus,
  time,
  type Fact,
  type Html,
  type Part,
  type Tone,
} from '../../design/index.ts'
import { pageLinks } from '../../paging.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { portalPage, type PortalRequest } from '../frame.ts'
import { entryTable } from './entries.ts'
import { PAYOUTS_PATH, payoutPath } from './paths.ts'

type ReplyOf<O extends Operation> = z.output<O['reply']>
type Payout = ReplyOf<typeof paidOut.getByMerchant>['payout']

const STATUS_WORDS: Readonly<Record<Payout['status'], readonly [tone: Tone, text: string]>> = {
  upcoming: ['neutral', 'Upcoming'],
  sent: ['good', 'Sent'],
  settled: ['good', 'Arrived'],
  cancelled: ['neutral', 'Cancelled'],
  returned: ['bad', 'Returned'],
}
/** A payout has cents of a currency, or the number of an asset. */
const amountOf = ({ amountCents, amount = '' }: Payout): number | string => amountCents ?? amount
const statusOf = ({ status }: Payout): Html => taggedStatus(STATUS_WORDS, status)

/** Facts of a payout that are known by now. */
const factsOf = (payout: Payout): Fact[] => {
  const fact = (term: string, value: string | null, show: (text: string) => Part = (text) => text) =>
    value === null ? [] : [{ term, value: show(value) }]
  return [
    { term: 'Amount', value: amountInUnit(amountOf(payout), payout.unit) },
    { term: 'Relationship', value: html`<code>${payout.partnerCustomerId}</code>` },
    ...fact('Destination', payout.destination),
    { term: 'Scheduled for', value: time(payout.scheduledFor) },
    ...fact('Sent', payout.sentAt, time),
    ...fact('Arrived', payout.settledAt, time),
    ...fact('Returned', payout.returnedAt, time),
    ...fact('Reason of the return', payout.returnReason),
    ...fact('Reference', payout.reference),
    ...fact('Transaction', payout.txId),
  ]
}

const pageOfList = ({ query }: PortalRequest) => {
  const before = query.get('cursor')
  return before === null ? {} : { before }
}

/** Lists the merchant's payouts. */
export const listPayouts = async (request: PortalRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(paidOut.listByMerchant, { query: pageOfList(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { payouts, nextCursor } = reply.value
  return pageOf(
    portalPage({
      session,
      current: PAYOUTS_PATH,
      title: 'Payouts',
      main: html`<h1>Payouts</h1>
        ${table({
          caption: 'Payouts, newest first',
          columns: [
            {
              heading: 'Payout',
              cell: ({ payoutId }) => html`<a href="${payoutPath(payoutId)}"><code>${payoutId}</code></a>`,
            },
            {
              heading: 'Amount',
              cell: (payout) => amountInUnit(amountOf(payout), payout.unit),
              isNumber: true,
            },
            { heading: 'Status', cell: statusOf },
            { heading: 'Scheduled for', cell: ({ scheduledFor }) => time(scheduledFor) },
            { heading: 'Sent', cell: ({ sentAt }) => (sentAt === null ? '' : time(sentAt)) },
          ],
          rows: payouts,
          empty: 'No payouts yet.',
        })}
        ${pagination(pageLinks(PAYOUTS_PATH, request, nextCursor))}`,
    }),
  )
}

/** `disputesReversed` becomes "Disputes reversed". */
const words = (field: string): string => {
  const text = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Renders how a payout adds up: the fields of its summary that are not 0, and their sum. */
const summaryTable = (payout: Payout): Html => {
  const { summary, unit } = payout
  const { entryCount, ...amounts } = summary
  const rows = Object.entries(amounts)
    .filter(([, amount]) => /[1-9]/.test(String(amount)))
    .map(([field, amount]) => ({ title: words(field), amount }))
  return table({
    caption: `How the payout adds up, from ${entryCount === 1 ? '1 entry' : `${entryCount} entries`}`,
    columns: [
      { heading: 'Part', cell: ({ title }) => title },
      { heading: 'Amount', cell: ({ amount }) => amountInUnit(amount, unit), isNumber: true },
    ],
    rows: [...rows, { title: 'Payout', amount: amountOf(payout) }],
    empty: '',
  })
}

/** Shows a payout, how it adds up, and exactly the entries that it pays. */
export const showPayout = async (request: PortalRequest): Promise<Answer> => {
  const { ask, session, params } = request
  const payoutId = params['payoutId'] ?? ''
  const [found, entries] = await Promise.all([
    ask(paidOut.getByMerchant, { params: { payoutId } }),
    ask(paidOut.listEntriesByMerchant, { params: { payoutId }, query: pageOfList(request) }),
  ])
  if (!found.ok) return { kind: 'error', code: found.code }
  if (!entries.ok) return { kind: 'error', code: entries.code }
  const { payout } = found.value
  const { balanceEntries: rows, nextCursor } = entries.value
  return pageOf(
    portalPage({
      session,
      current: PAYOUTS_PATH,
      title: `Payout ${payoutId}`,
      main: html`<h1>Payout <code>${payoutId}</code> ${statusOf(payout)}</h1>
        ${definitionList(factsOf(payout))} ${summaryTable(payout)}
        ${entryTable('Entries that it pays, newest first', rows, (row) => row.paidAmount)}
        ${pagination(pageLinks(payoutPath(payoutId), request, nextCursor))}`,
    }),
  )
}
