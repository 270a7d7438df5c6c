import { ERRORS, pendingActions, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { changesOf } from '../audit/changes.ts'
import type { StaffRequest } from '../frame.ts'
import { readNames } from '../names.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { pageOf, redirectTo } from '../../replies.ts'
import { PENDING_ACTIONS_PATH, pendingActionPath } from '../work/paths.ts'
import { readPlannedRefund } from './refund-plan.ts'
import { pendingActionPage, pendingActionsPage, type DecisionProblem } from './view.ts'
import { actionTitle } from './words.ts'

const PATH = `${PENDING_ACTIONS_PATH}/:pendingActionId`

const idOf = ({ params }: StaffRequest) => ({ pendingActionId: params['pendingActionId'] ?? '' })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const status = query.get('status') === 'decided' ? 'decided' : 'waiting'
  const reply = await ask(pendingActions.list, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { pending_actions: actions, next_cursor: next } = reply.value
  const page = pageLinks(PENDING_ACTIONS_PATH, request, next)
  const names = await readNames(
    request,
    actions.map((action) => action.target),
  )
  return pageOf(pendingActionsPage({ session, status, actions, names, page }))
}

const show = async (request: StaffRequest, problem: DecisionProblem = null, code = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(pendingActions.get, { params: idOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const action = reply.value.pending_action
  const [refund, names] = await Promise.all([
    readPlannedRefund(request, action),
    readNames(request, action.target),
  ])
  return pageOf(pendingActionPage({ session, action, names, refund, problem }), code)
}

const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  [
    'same_person',
    'You requested this action yourself, or through a related key. Someone else must confirm it.',
  ],
  [
    'not_a_person',
    'Staff keys cannot confirm actions when staff sign in through an identity provider. Sign in there to confirm it.',
  ],
  ['changed', 'The target has changed since the request. Check it, and request the action again.'],
  ['gone', 'The target no longer exists.'],
  ['requester_may_not', 'The requester is no longer allowed to do this.'],
  ['decided_meanwhile', 'Someone else decided this action just before you.'],
  ['no_result', 'The result was already shown, or the action has no result.'],
  ['not_yours', 'Only the requester can see the result.'],
])

type Refused = Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

const showProblem = (request: StaffRequest, { code, details = [] }: Refused): Promise<Answer> | Answer =>
  code === 'invalid_state'
    ? show(request, PROBLEMS.get(details[0]?.['reason']) ?? ERRORS.invalid_state.message, ERRORS[code].status)
    : { kind: 'error', code }

const decide =
  (operation: typeof pendingActions.confirm | typeof pendingActions.decline) =>
  async (request: StaffRequest): Promise<Answer> => {
    const reply = await request.ask(operation, { params: idOf(request) })
    return reply.ok
      ? redirectTo(pendingActionPath(idOf(request).pendingActionId))
      : showProblem(request, reply)
  }

const takeResult = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const params = idOf(request)
  const found = await ask(pendingActions.get, { params })
  if (!found.ok) return { kind: 'error', code: found.code }
  const reply = await ask(pendingActions.takeResult, { params })
  if (!reply.ok) return showProblem(request, reply)
  return pageOf(
    oneTimeSecretPage({
      session,
      current: '/console',
      title: actionTitle(found.value.pending_action),
      advice: 'Pass secrets on through a secure channel.',
      values: changesOf(null, reply.value.result).map(({ path, after }) => ({
        term: path,
        value: after ?? '',
      })),
      back: { href: pendingActionPath(params.pendingActionId), text: 'Back to the action' },
    }),
  )
}

/** Actions that need two people, and the second person's decision. */
export const pendingActionScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PENDING_ACTIONS_PATH, answer: list }),
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request) }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/confirm`,
    answer: decide(pendingActions.confirm),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/decline`,
    answer: decide(pendingActions.decline),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/result`, answer: takeResult }),
]
