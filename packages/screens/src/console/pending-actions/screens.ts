import { ERRORS, pendingActions, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { changesOf } from '../audit/changes.ts'
import type { StaffRequest } from '../frame.ts'
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
  return pageOf(pendingActionsPage({ session, status, actions, page }))
}

const show = async (request: StaffRequest, problem: DecisionProblem = null, code = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(pendingActions.get, { params: idOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const action = reply.value.pending_action
  const refund = await readPlannedRefund(request, action)
  return pageOf(pendingActionPage({ session, action, refund, problem }), code)
}

const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  [
    'same_person',
    'You have asked for it yourself, or a key that you made, or that made yours, has. Somebody else has to confirm it.',
  ],
  [
    'not_a_person',
    'Keys do not confirm where people sign in at an identity provider. Sign in there and confirm it.',
  ],
  ['changed', 'What it is about has changed since it was asked for. Look at it, and ask again.'],
  ['gone', 'What it is about is no longer there.'],
  ['requester_may_not', 'Who asked for it may not do this any more.'],
  ['decided_meanwhile', 'Somebody has decided it a moment before you.'],
  ['no_result', 'The answer was taken already, or there is none.'],
  ['not_yours', 'Only who asked for it sees the answer.'],
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
      advice: 'Hand on what is secret on a safe way.',
      values: changesOf(null, reply.value.result).map(({ path, after }) => ({
        term: path,
        value: after ?? '',
      })),
      back: { href: pendingActionPath(params.pendingActionId), text: 'Back to the action' },
    }),
  )
}

/** What needs two persons, and the decision of the second. */
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
