import { unattributedMoney } from '@causeway/contracts'
import { formWith, type FormState } from '../../../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { sessionScreen, type Answer, type Reply, type Screen } from '../../../screen.ts'
import type { StaffRequest } from '../../frame.ts'
import { readStaffActions } from '../../history.ts'
import { readNames } from '../../names.ts'
import { refundScreens, type Refundable } from '../crypto-refunds/screens.ts'
import { readWaiting } from '../crypto-refunds/waiting.ts'
import { UNATTRIBUTED_MONEY_PATH, unattributedMoneyPath } from '../paths.ts'
import { showList } from './list.ts'
import { moneyPage } from './view.ts'

const PATH = unattributedMoneyPath(':unattributedMoneyId')

const paramsOf = ({ params }: StaffRequest) => ({ unattributedMoneyId: params['unattributedMoneyId'] ?? '' })
const pathOf = (request: StaffRequest): string => unattributedMoneyPath(paramsOf(request).unattributedMoneyId)

const show = async (
  request: StaffRequest,
  hasFourEyes: boolean,
  state: FormState = formWith(),
  status = 200,
): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(unattributedMoney.get, { params: paramsOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { unattributed_money: money, refund } = reply.value
  const id = money.unattributed_money_id
  const [waiting, staffActions, names] = await Promise.all([
    money.status === 'open' ? readWaiting(request, id, hasFourEyes) : null,
    readStaffActions(request, id),
    readNames(request, [money.partner_customer_id, money.partner_id]),
  ])
  return pageOf(moneyPage({ session, money, refund, waiting, staffActions, names, state }), status)
}

const REFUNDABLE: Refundable = {
  pattern: PATH,
  pathOf,
  readPlan: (request, toAddress) =>
    request.ask(unattributedMoney.getRefundPlan, {
      params: paramsOf(request),
      query: toAddress === undefined ? {} : { to_address: toAddress },
    }),
  refund: (request, body) => request.ask(unattributedMoney.refund, { params: paramsOf(request), body }),
}

const fieldOf = ({ form }: StaffRequest, name: string): string => (form.get(name) ?? '').trim()

/** Reads an optional field; empty if it was not entered. */
const optional = (request: StaffRequest, name: string): Readonly<Record<string, string>> => {
  const value = fieldOf(request, name)
  return value === '' ? {} : { [name]: value }
}

type End = Readonly<{
  /** Form field for the operation's `reason`. */
  reasonField?: string
  end: (request: StaffRequest) => Promise<Reply<(typeof unattributedMoney)['keep']>>
}>

const ENDS: Readonly<Record<'apply' | 'keep' | 'handled', End>> = {
  apply: {
    end: (request) =>
      request.ask(unattributedMoney.apply, {
        params: paramsOf(request),
        body: { merchant_consent: fieldOf(request, 'merchant_consent'), ...optional(request, 'order_id') },
      }),
  },
  keep: {
    reasonField: 'keep_reason',
    end: (request) =>
      request.ask(unattributedMoney.keep, {
        params: paramsOf(request),
        body: { reason: fieldOf(request, 'keep_reason') },
      }),
  },
  handled: {
    reasonField: 'handled_reason',
    end: (request) =>
      request.ask(unattributedMoney.handled, {
        params: paramsOf(request),
        body: { reason: fieldOf(request, 'handled_reason'), ...optional(request, 'tx_id') },
      }),
  },
}

/** Assigns the operation's errors to the fields of the form. */
const atFieldsOf = (state: FormState, { reasonField }: End): FormState => {
  const { reason, ...errors } = state.errors
  return reason === undefined || reasonField === undefined
    ? state
    : { ...state, errors: { ...errors, [reasonField]: reason } }
}

const endBy = async (request: StaffRequest, hasFourEyes: boolean, way: End): Promise<Answer> => {
  const reply = await way.end(request)
  if (reply.ok) return redirectTo(pathOf(request))
  return answerRefusedForm(reply, request.form, (state, status) =>
    show(request, hasFourEyes, atFieldsOf(state, way), status),
  )
}

/** Unattributed money and its resolutions (decisions §52). @param hasFourEyes true if a refund may need a second person */
export const unattributedMoneyScreens = (hasFourEyes: boolean): readonly Screen[] => [
  sessionScreen('console', { method: 'GET', path: UNATTRIBUTED_MONEY_PATH, answer: showList }),
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request, hasFourEyes) }),
  ...refundScreens(REFUNDABLE),
  ...Object.entries(ENDS).map(([name, way]) =>
    sessionScreen('console', {
      method: 'POST',
      path: `${PATH}/${name}`,
      answer: (request) => endBy(request, hasFourEyes, way),
    }),
  ),
]
