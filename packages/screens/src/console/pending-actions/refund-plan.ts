import {
  cryptoOrders,
  ERRORS,
  RefundRequest,
  unattributedMoney,
  type ErrorCode,
  type PendingAction,
  type RefundPlan,
} from '@causeway/contracts'
import { definitionList, EMPTY, html, notice, type Html } from '../../design/index.ts'
import type { StaffRequest } from '../frame.ts'
import { obstacleNotice, planFacts } from '../work/crypto-refunds/plan.ts'

/** The current plan of a refund that waits for a second person, or why it cannot be read. */
export type PlannedRefund = Readonly<{ asked: RefundRequest; plan: RefundPlan | ErrorCode }>

const askPlan = ({ ask }: StaffRequest, { action, target }: PendingAction, toAddress: string) => {
  const id = target ?? ''
  const query = { to_address: toAddress }
  return action === cryptoOrders.refund.subject
    ? ask(cryptoOrders.getRefundPlan, { params: { orderId: id }, query })
    : ask(unattributedMoney.getRefundPlan, { params: { unattributedMoneyId: id }, query })
}

const REFUNDS: readonly string[] = [cryptoOrders.refund.subject, unattributedMoney.refund.subject]

/** Reads the plan of a waiting refund, as the first person saw it; null for other actions. */
export const readPlannedRefund = async (
  request: StaffRequest,
  action: PendingAction,
): Promise<PlannedRefund | null> => {
  const asked = RefundRequest.safeParse(action.asked).data
  if (action.status !== 'waiting' || asked === undefined || !REFUNDS.includes(action.action)) return null
  const reply = await askPlan(request, action, asked.to_address)
  return { asked, plan: reply.ok ? reply.value.plan : reply.code }
}

const differs = ({ expected }: RefundRequest, { amount, from_address: from }: RefundPlan): boolean =>
  expected !== undefined && (expected.amount !== amount || expected.from_address !== from)

const statedFacts = ({ tx_id: txId, sent_amount: sentAmount }: RefundRequest): Html => {
  const facts = [
    ...(txId === undefined
      ? []
      : [{ term: 'Transaction named by staff', value: html`<code>${txId}</code>` }]),
    ...(sentAmount === undefined
      ? []
      : [{ term: 'Amount that arrives, stated by staff', value: sentAmount }]),
  ]
  return facts.length === 0 ? EMPTY : definitionList(facts)
}

const unplanned = (code: ErrorCode): Html => {
  if (code === 'invalid_request')
    return notice('bad', 'The refund cannot be sent to this address.', 'You cannot confirm it. Decline it.')
  return ERRORS[code].status === 409
    ? notice('bad', 'The money can no longer be refunded.', 'You cannot confirm it. Decline it.')
    : notice('warning', 'The refund plan is temporarily unavailable.', 'Load the page again in a moment.')
}

/** Renders the plan of a refund, as the first person saw it. */
export const plannedRefund = ({ asked, plan }: PlannedRefund): Html => {
  const byHand = asked.sent_by_hand === true
  if (typeof plan === 'string') return unplanned(plan)
  return html`<section class="sheet" aria-labelledby="plan">
    <h2 id="plan">${byHand || plan.sent_by === 'staff' ? 'Refund to record' : 'Refund to send'}</h2>
    ${
      differs(asked, plan) &&
      notice(
        'bad',
        'The plan differs from the request.',
        'You cannot confirm it. Decline it, and request the refund again.',
      )
    }
    ${!byHand && obstacleNotice(plan)}
    ${planFacts(plan, { toAddress: asked.to_address, ...(byHand && { sentBy: 'staff' }) })}
    ${statedFacts(asked)}
  </section>`
}
