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
import type { Names } from '../names.ts'
import { mayDo } from '../roles.ts'
import { PENDING_ACTIONS_PATH, pendingActionPath } from '../work/paths.ts'
import { personOf, wordsOf } from '../work/words.ts'
import { askedDocument, askedOf } from './asked-document.ts'
import { plannedRefund, type PlannedRefund } from './refund-plan.ts'
import { actionTitle, mayHoldSecret, pendingActionTag, targetLink } from './words.ts'

type ListPage = Readonly<{
  session: StaffSession
  status: 'waiting' | 'decided'
  actions: readonly PendingAction[]
  names: Names
  page: Readonly<{ first: string | null; next: string | null }>
}>

/** Renders the actions that wait for a second person, or the decided ones. */
export const pendingActionsPage = ({ session, status, actions, names, page }: ListPage): Html =>
  consolePage({
    session,
    current: '/console',
    title: 'Pending actions',
    main: html`<h1>Pending actions</h1>
      ${navigation(
        'Which actions',
        (['waiting', 'decided'] as const).map((each) => ({
          href: `${PENDING_ACTIONS_PATH}?status=${each}`,
          text: wordsOf(each),
          isCurrent: each === status,
        })),
      )}
      ${table({
        caption: status === 'waiting' ? 'Waiting, oldest first' : 'Decided, newest first',
        columns: [
          {
            heading: 'Action',
            cell: (row) =>
              html`<a href="${pendingActionPath(row.pending_action_id)}">${actionTitle(row)}</a>`,
          },
          { heading: 'Target', cell: (row) => targetLink(row, names) },
          { heading: 'Requested by', cell: (row) => personOf(row.requested_by, row.requested_by_name) },
          { heading: 'Requested', cell: (row) => time(row.requested_at) },
          { heading: 'State', cell: (row) => pendingActionTag(row.status) },
        ],
        rows: actions,
        empty:
          status === 'waiting' ? 'No actions wait for a second person.' : 'No actions have been decided yet.',
      })}
      ${pagination(page)}`,
  })

/** Why a decision failed; null if it did not. */
export type DecisionProblem = string | null

type DetailPage = Readonly<{
  session: StaffSession
  action: PendingAction
  names: Names
  /** The plan of a waiting refund; null for other actions. */
  refund: PlannedRefund | null
  problem: DecisionProblem
}>

const shown = (value: string | null): Html => (value === null ? html`–` : html`<code>${value}</code>`)

const changes = (action: PendingAction): Html => {
  const { before } = action
  const asked = askedOf(action)
  // Fields that the request does not name stay unchanged.
  const named = new Set(Object.keys(asked ?? {}))
  const rows = changesOf(before, asked).filter(({ path }) => named.has(path.split('.')[0] ?? ''))
  return rows.length === 0
    ? EMPTY
    : table({
        caption: 'Requested changes',
        columns: [
          { heading: 'Field', cell: ({ path }) => path || 'value' },
          { heading: 'Current', cell: ({ before: now }) => shown(now) },
          { heading: 'Requested', cell: ({ after }) => shown(after) },
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
            The action is carried out immediately, as ${action.requested_by_name ?? action.requested_by}
            requested. The audit log names you both.
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
        html`<p>Nothing is changed. The action can be requested again.</p>
          ${consoleForm(session, `${path}/decline`, submit(isOwn ? 'Withdraw' : 'Decline', 'danger'))}`,
      )
    }
  </div>`
}

const advice = (action: PendingAction, isOwn: boolean): Html => {
  if (action.status === 'waiting' && isOwn)
    return notice(
      'neutral',
      'Nothing has changed yet.',
      'Someone else with the required role must confirm it.',
    )
  if (action.status === 'unknown')
    return notice('bad', 'The outcome is unknown.', 'Check the target before you request the action again.')
  if (action.status === 'outdated')
    return notice(
      'warning',
      'The action was not carried out.',
      'Its target has changed since the request. Request it again.',
    )
  return EMPTY
}

const takeForm = (session: StaffSession, action: PendingAction, isOwn: boolean): Html =>
  action.has_result && isOwn && mayHoldSecret(action)
    ? html`<section class="sheet" aria-labelledby="result">
        <h2 id="result">Result</h2>
        <p>The result is shown once, and only to you.</p>
        ${consoleForm(session, `${pendingActionPath(action.pending_action_id)}/result`, submit('Show the result'))}
      </section>`
    : EMPTY

/** Renders an action: the request, who made it, and its outcome. */
export const pendingActionPage = ({ session, action, names, refund, problem }: DetailPage): Html => {
  const isOwn = action.requested_by === session.principal.actor
  const title = actionTitle(action)
  return consolePage({
    session,
    current: '/console',
    title: problem === null ? title : `Error: ${title}`,
    main: html`<h1>${title} ${pendingActionTag(action.status)}</h1>
      ${problem !== null && notice('bad', 'Nothing was done.', problem)} ${advice(action, isOwn)}
      ${definitionList([
        { term: 'Target', value: targetLink(action, names) },
        { term: 'Requested by', value: personOf(action.requested_by, action.requested_by_name) },
        { term: 'Requested', value: time(action.requested_at) },
        { term: 'Expires', value: time(action.expires_at) },
        { term: 'Role of the second person', value: action.role },
        {
          term: 'Decided by',
          value: action.decided_by === null ? '–' : personOf(action.decided_by, action.decided_by_name),
        },
        ...(action.code === null ? [] : [{ term: 'Refused with', value: html`<code>${action.code}</code>` }]),
        { term: 'SHA-256 of the request', value: html`<code>${action.request_sha256}</code>` },
      ])}
      ${refund === null ? changes(action) : plannedRefund(refund)} ${askedDocument(action)}
      ${decisions(session, action, isOwn)} ${takeForm(session, action, isOwn)}
      <p>${linkButton(PENDING_ACTIONS_PATH, 'All pending actions', 'quiet')}</p>`,
  })
}
