import { reviews, VerificationStatus, type ListedCase } from '@causeway/contracts'
import { html, navigation, pagination, table, taggedStatus, time, type Html } from '../../../design/index.ts'
import type { Answer } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf } from '../../../replies.ts'
import { casePath, CASES_PATH } from '../paths.ts'
import { caseTag, idLink, wordsOf } from '../words.ts'

const STATUSES = VerificationStatus.options

/** Tag of a pending case whose data or documents have changed since it was submitted. */
const EDITED = { edited: ['warning', 'Edited'] } as const

/** Returns the time since which a case has been in its state. */
const sinceOf = ({ status, reviewed_at, submitted_at, edited_at, created_at }: ListedCase): string =>
  (status === 'pending' ? (edited_at ?? submitted_at) : reviewed_at) ?? created_at

const casesTable = (rows: readonly ListedCase[], status: VerificationStatus): Html =>
  table({
    caption: `Cases: ${wordsOf(status).toLowerCase()}`,
    columns: [
      {
        heading: 'Case',
        cell: (row) => idLink(casePath(row.verification_id), row.verification_id),
      },
      {
        heading: 'Status',
        cell: (row) =>
          html`${caseTag(row.status)} ${row.edited_at != null && taggedStatus(EDITED, 'edited')}`,
      },
      { heading: 'Since', cell: (row) => time(sinceOf(row)) },
      { heading: 'Name', cell: (row) => row.customer_name ?? 'Not given' },
      {
        heading: 'Merchant',
        cell: (row) => idLink(`/console/merchants/${row.customer_id}`, row.customer_id),
      },
    ],
    rows,
    empty: status === 'pending' ? 'No cases to review.' : 'No cases have this status.',
  })

/** Lists the cases, least recently changed first. */
export const listCases = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const asked = VerificationStatus.safeParse(query.get('status'))
  const status = asked.success ? asked.data : 'pending'
  const reply = await ask(reviews.list, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { verifications, next_cursor: next } = reply.value
  const links = STATUSES.map((each) => ({
    href: `${CASES_PATH}?status=${each}`,
    text: wordsOf(each),
    isCurrent: each === status,
  }))
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Cases',
      main: html`<h1>Cases</h1>
        ${navigation('Statuses of cases', links)} ${casesTable(verifications, status)}
        ${pagination(pageLinks(CASES_PATH, request, next))}`,
    }),
  )
}
