import { html, linkButton, notice, table, time, type Html, type Part } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { pageOf } from '../../../replies.ts'
import { mayDo } from '../../roles.ts'
import { CONSOLE_PATH, PAYERS_PATH } from '../paths.ts'
import { searchForm } from '../search/form.ts'
import { COUNTED, QUEUES, type Queue, type QueueState } from './queues.ts'

type Row = Readonly<{ queue: Queue; state: QueueState }>

const countOf = ({ state }: Row): Part => {
  if (!state.ok) return '?'
  return state.hasMore && state.count === COUNTED ? `${COUNTED} or more` : state.count
}

const sinceOf = ({ queue, state }: Row): Part => {
  if (!state.ok) return 'Temporarily unavailable'
  return state.since === null ? '' : html`${queue.sinceText} ${time(state.since)}`
}

const queueTable = (rows: readonly Row[]): Html =>
  table({
    caption: 'Queues',
    columns: [
      { heading: 'Queue', cell: ({ queue }) => html`<a href="${queue.path}">${queue.title}</a>` },
      { heading: 'Entries', cell: countOf, isNumber: true },
      { heading: 'Since', cell: sinceOf },
      { heading: 'What to do', cell: ({ queue }) => html`<span class="hint">${queue.advice}</span>` },
    ],
    rows,
    empty: 'There are no queues.',
  })

/** Shows the start page of the console. If one service is unavailable, the other queues are still shown. */
const overview = async ({ ask, session }: StaffRequest): Promise<Answer> => {
  const rows = await Promise.all(QUEUES.map(async (queue) => ({ queue, state: await queue.read(ask) })))
  const isWhole = rows.every(({ state }) => state.ok)
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Work',
      main: html`<h1>Work</h1>
        ${searchForm(session, '')}
        ${!isWhole && notice('warning', 'Some queues are temporarily unavailable.', 'Load the page again in a moment.')}
        ${queueTable(rows)}
        ${mayDo(session, 'admin') && html`<p>${linkButton(PAYERS_PATH, 'Personal data of a payer', 'quiet')}</p>`}`,
    }),
  )
}

/** The start page of the console. */
export const overviewScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: CONSOLE_PATH, answer: overview }),
]
