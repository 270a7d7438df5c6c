import type { PendingAction } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  EMPTY,
  html,
  linkButton,
  navigation,
  notice,
  pagination,
  submit,
  table,
  time,
  type Html,
} from '../../design/index.ts'
import { changesOf } from '../audit/changes.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { PENDING_ACTIONS_PATH, pendingActionPath } from '../work/paths.ts'
import { wordsOf } from '../work/words.ts'
import { askedDocument, askedOf } from './asked-document.ts'
import { plannedRefund, type PlannedRefund } from './refund-plan.ts'
import { actionTitle, mayHoldSecret, pendingActionTag, targetLink } from './words.ts'

type ListPage = Readonly<{
  session: StaffSession
  status: 'waiting' | 'decided'
  actions: readonly PendingAction[]
  page: Readonly<{ first: string | null; next: string | null }>
}>

/** Actions that wait for a second person, or those that were decided. */
export const pendingActionsPage = ({ session, status, actions, page }: ListPage): Html =>
  consolePage({
    session,
    current: '/console',
    title: 'Two persons',
    main: html`<h1>Actions that need two persons</h1>
      ${navigation(
        'Which actions',
        (['waiting', 'decided'] as const).map((each) => ({
          href: `${PENDING_ACTIONS_PATH}?status=${each}`,
          text: wordsOf(each),
          isCurrent: each === status,
        })),
      )}
      ${table({
        caption: status === 'waiting' ? 'Waiting, the oldest first' : 'Decided, the newest first',
        columns: [
          {
            heading: 'Action',
            cell: (row) =>
              html`<a href="${pendingActionPath(row.pending_action_id)}">${actionTitle(row)}</a>`,
          },
          { heading: 'On what', cell: targetLink },
          { heading: 'Asked by', cell: (row) => html`<code>${row.requested_by}</code>` },
          { heading: 'Asked', cell: (row) => time(row.requested_at) },
          { heading: 'State', cell: (row) => pendingActionTag(row.status) },
        ],
        rows: actions,
        empty: status === 'waiting' ? 'Nothing waits for a second person.' : 'Nothing was decided yet.',
      })}
      ${pagination(page)}`,
  })

/** What a problem with a decision is, in the words of people. */
export type DecisionProblem = string | null

type DetailPage = Readonly<{
  session: StaffSession
  action: PendingAction
  /** What it would send, where it is a refund that waits. */
  refund: PlannedRefund | null
  problem: DecisionProblem
}>

const shown = (value: string | null): Html => (value === null ? html`–` : html`<code>${value}</code>`)

const changes = (action: PendingAction): Html => {
  const { before } = action
  const asked = askedOf(action)
  // A field that the request does not name stays as it is.
  const named = new Set(Object.keys(asked ?? {}))
  const rows = changesOf(before, asked).filter(({ path }) => named.has(path.split('.')[0] ?? ''))
  return rows.length === 0
    ? EMPTY
    : table({
        caption: 'What was asked for, beside what is',
        columns: [
          { heading: 'Field', cell: ({ path }) => path || 'value' },
          { heading: 'Now', cell: ({ before: now }) => shown(now) },
          { heading: 'Asked for', cell: ({ after }) => shown(after) },
        ],
        rows,
        empty: '',
      })
}

const decisions = (session: StaffSession, action: PendingAction, isOwn: boolean): Html => {
  const path = pendingActionPath(action.pending_action_id)
  const isWaiting = action.status === 'waiting'
  if (!(isWaiting || action.status === 'unknown') || !mayDo(session, action.role)) return EMPTY
  return html`<div class="actions">
    ${
      !isOwn &&
      dialogButton(
        { id: 'confirm', text: 'Confirm…', title: `${actionTitle(action)}?` },
        html`<p>
            It is carried out immediately, as ${action.requested_by} has asked. The audit log names you both.
          </p>
          ${consoleForm(session, `${path}/confirm`, submit('Confirm and carry out'))}`,
      )
    }
    ${
      isWaiting &&
      dialogButton(
        {
          id: 'decline',
          text: isOwn ? 'Withdraw…' : 'Decline…',
          title: isOwn ? 'Withdraw this action?' : 'Decline this action?',
          look: 'danger',
        },
        html`<p>Nothing is changed. It can be asked for again.</p>
          ${consoleForm(session, `${path}/decline`, submit(isOwn ? 'Withdraw it' : 'Decline it', 'danger'))}`,
      )
    }
  </div>`
}

const advice = (action: PendingAction, isOwn: boolean): Html => {
  if (action.status === 'waiting' && isOwn)
    return notice('neutral', 'Nothing has changed yet.', 'Somebody else with the role has to confirm it.')
  if (action.status === 'unknown')
    return notice('bad', 'Nobody knows whether it was done.', 'Look at what it is about before asking again.')
  if (action.status === 'outdated')
    return notice(
      'warning',
      'It was not carried out.',
      'What it is about has changed since. Ask for it again.',
    )
  return EMPTY
}

const takeForm = (session: StaffSession, action: PendingAction, isOwn: boolean): Html =>
  action.has_result && isOwn && mayHoldSecret(action)
    ? html`<section class="sheet" aria-labelledby="result">
        <h2 id="result">The answer</h2>
        <p>It is shown once, to you alone.</p>
        ${consoleForm(session, `${pendingActionPath(action.pending_action_id)}/result`, submit('Show it'))}
      </section>`
    : EMPTY

/** One action: what was asked for, by whom, and what became of it. */
export const pendingActionPage = ({ session, action, refund, problem }: DetailPage): Html => {
  const isOwn = action.requested_by === session.principal.actor
  const title = actionTitle(action)
  return consolePage({
    session,
    current: '/console',
    title: problem === null ? title : `Error: ${title}`,
    main: html`<h1>${title} ${pendingActionTag(action.status)}</h1>
      ${problem !== null && notice('bad', 'It was not done.', problem)} ${advice(action, isOwn)}
      ${definitionList([
        { term: 'On what', value: targetLink(action) },
        { term: 'Asked by', value: html`<code>${action.requested_by}</code>` },
        { term: 'Asked', value: time(action.requested_at) },
        { term: 'Waits until', value: time(action.expires_at) },
        { term: 'Role of the second person', value: action.role },
        {
          term: 'Decided by',
          value: action.decided_by === null ? '–' : html`<code>${action.decided_by}</code>`,
        },
        ...(action.code === null ? [] : [{ term: 'Refused with', value: html`<code>${action.code}</code>` }]),
        { term: 'SHA-256 of the request', value: html`<code>${action.request_sha256}</code>` },
      ])}
      ${refund === null ? changes(action) : plannedRefund(refund)} ${askedDocument(action)}
      ${decisions(session, action, isOwn)} ${takeForm(session, action, isOwn)}
      <p>${linkButton(PENDING_ACTIONS_PATH, 'All actions that wait', 'quiet')}</p>`,
  })
}
