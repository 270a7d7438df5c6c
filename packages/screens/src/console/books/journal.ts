import { ledgerBooks, type JournalEntry } from '@causeway/contracts'
import { amountInUnit, definitionList, html, statusTag, table, time, type Html } from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { consolePage, type StaffRequest } from '../frame.ts'
import { idLink, wordsOf } from '../work/words.ts'
import { BOOKS_PATH, journalPath, orderOf } from './words.ts'

const transferTable = ({ transfers }: JournalEntry): Html =>
  table({
    caption: 'Transfers',
    columns: [
      { heading: 'Debit', cell: ({ debit }) => html`<code>${debit}</code>` },
      { heading: 'Credit', cell: ({ credit }) => html`<code>${credit}</code>` },
      { heading: 'Amount', cell: ({ amount, unit }) => amountInUnit(amount, unit), isNumber: true },
      {
        heading: 'Entries of balances',
        cell: ({ entries, unit }) =>
          entries.map(
            ({ account, kind, amount }) =>
              html`<p>${wordsOf(kind)} ${amountInUnit(amount, unit)} in <code>${account}</code></p>`,
          ),
      },
    ],
    rows: transfers,
    empty: 'No transfers.',
  })

/** Shows a posting with both sides of its transfers, and the fact that caused it. */
export const showJournal = async ({ ask, session, params }: StaffRequest): Promise<Answer> => {
  const reply = await ask(ledgerBooks.getJournal, { params: { journalId: params['journalId'] ?? '' } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { journal } = reply.value
  const order = orderOf(journal)
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: `Posting ${journal.journal_id}`,
      main: html`<h1>
          Posting <code>${journal.journal_id}</code> ${journal.estimated && statusTag('warning', 'Estimated')}
        </h1>
        ${definitionList([
          { term: 'Cause', value: html`<code>${journal.source}</code>` },
          { term: 'Rule', value: wordsOf(journal.rule) },
          ...(order === '' ? [] : [{ term: 'Order', value: order }]),
          ...(journal.reverses === null
            ? []
            : [{ term: 'Reverses', value: idLink(journalPath(journal.reverses), journal.reverses) }]),
          { term: 'Effective', value: time(journal.effective_at) },
          { term: 'Recorded', value: time(journal.recorded_at) },
        ])}
        ${transferTable(journal)}`,
    }),
  )
}
