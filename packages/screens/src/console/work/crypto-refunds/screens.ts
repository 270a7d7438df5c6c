import type { cryptoOrders, ErrorCode, RefundRequest, unattributedMoney } from '@causeway/contracts'
import { html, notice } from '../../../design/index.ts'
import { formWith, refusedForm, titleOf, type FormState } from '../../../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { sessionScreen, type Answer, type Reply, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { addressPage, confirmation, recording, refundPathOf, refundRequestOf, refusedRefund } from './form.ts'

type Plan = (typeof cryptoOrders)['getRefundPlan'] | (typeof unattributedMoney)['getRefundPlan']
type Refund = (typeof cryptoOrders)['refund'] | (typeof unattributedMoney)['refund']

/** Money that can be refunded: that of an order, or an unattributed amount. */
export type Refundable = Readonly<{
  /** Path pattern of its page. */
  pattern: string
  pathOf: (request: StaffRequest) => string
  readPlan: (request: StaffRequest, toAddress: string | undefined) => Promise<Reply<Plan>>
  refund: (request: StaffRequest, body: RefundRequest) => Promise<Reply<Refund>>
}>

const WHY_NOT: Readonly<Record<string, string>> = {
  not_refundable:
    'It is not in a wallet that the platform can send from. Refund it by other means, then record it as handled manually.',
  nothing_to_refund: 'Nothing remains to be refunded.',
  invalid_state: 'It is closed, or a refund is already in progress.',
}

const showPage = (
  { session }: StaffRequest,
  title: string,
  main: ReturnType<typeof html>,
  status: number,
): Answer => pageOf(consolePage({ session, current: '/console', title, main }), status)

const MISSING_ADDRESS = { to_address: 'Enter the address for the refund.' }

const showObstacle = (request: StaffRequest, path: string, code: ErrorCode): Answer => {
  const why = WHY_NOT[code]
  if (why === undefined) return { kind: 'error', code }
  const main = html`<h1>Refund</h1>
    ${notice('warning', 'This cannot be refunded here.', why)}
    <p><a href="${path}">Back</a></p>`
  return showPage(request, 'Refund', main, 409)
}

/** The entered fields, with the state and HTTP status to show them with. */
type Shown = Readonly<{ entered: URLSearchParams; state: FormState; status: number }>

/** Shows the confirmation of a refund; without a valid address, shows the form for one. */
const showConfirmation = async (
  request: StaffRequest,
  refundable: Refundable,
  { entered, state, status }: Shown,
): Promise<Answer> => {
  const path = refundable.pathOf(request)
  const toAddress = entered.get('to_address')?.trim() ?? ''
  const isUsable = toAddress !== '' && state.errors['to_address'] === undefined
  const reply = await refundable.readPlan(request, isUsable ? toAddress : undefined)
  if (!reply.ok && reply.code === 'invalid_request' && isUsable)
    return showConfirmation(request, refundable, { entered, state: refusedForm(entered, reply), status: 400 })
  if (!reply.ok) return showObstacle(request, path, reply.code)
  const shown = { path, plan: reply.value.plan, toAddress }
  const byHand = entered.get('by_hand') === 'yes' || entered.get('sent_by_hand') === 'yes'
  if (byHand || shown.plan.sent_by === 'staff')
    return showPage(
      request,
      titleOf('Record a refund', state),
      recording(request.session, shown, state),
      status,
    )
  if (isUsable)
    return showPage(request, titleOf('Refund', state), confirmation(request.session, shown, state), status)
  const asking = toAddress === '' ? { ...state, errors: MISSING_ADDRESS } : state
  return showPage(
    request,
    titleOf('Refund', asking),
    addressPage(path, asking),
    status === 200 ? 400 : status,
  )
}

const refund = async (request: StaffRequest, refundable: Refundable): Promise<Answer> => {
  const { form: entered } = request
  const showRefused = (reply: Parameters<typeof answerRefusedForm>[0]) =>
    answerRefusedForm(reply, entered, (_, status) =>
      showConfirmation(request, refundable, { entered, state: refusedRefund(entered, reply), status }),
    )
  const body = refundRequestOf(entered)
  // Validate the address before the action waits for a second person.
  const planned = body.sent_by_hand === true ? await refundable.readPlan(request, body.to_address) : null
  if (planned?.ok === false && planned.code === 'invalid_request') return showRefused(planned)
  const reply = await refundable.refund(request, body)
  return reply.ok ? redirectTo(refundable.pathOf(request)) : showRefused(reply)
}

/** The page that shows the plan of a refund, and its confirmation. */
export const refundScreens = (refundable: Refundable): readonly Screen[] => {
  const path = refundPathOf(refundable.pattern)
  return [
    sessionScreen('console', {
      method: 'GET',
      path,
      answer: (request) =>
        showConfirmation(request, refundable, {
          entered: request.query,
          state: formWith(request.query),
          status: 200,
        }),
    }),
    sessionScreen('console', { method: 'POST', path, answer: (request) => refund(request, refundable) }),
  ]
}
