import {
  capabilities,
  nextSteps,
  orders,
  personalData,
  relationships,
  type CapabilityName,
  type Operation,
} from '@causeway/contracts'
import { sessionScreen, type Answer, type Reply, type Screen } from '../../../screen.ts'
import type { StaffRequest } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { readStaffActions } from '../../history.ts'
import { readNames } from '../../names.ts'
import { customerPath, CUSTOMERS_FILE_PATH, CUSTOMERS_PATH } from '../paths.ts'
import { downloadCustomers } from './csv.ts'
import { listCustomers } from './list.ts'
import { erasurePage, personalDataPage } from './personal-data.ts'
import { customerPage } from './view.ts'

const PATH = customerPath(':partnerCustomerId')
const idOf = ({ params }: StaffRequest): string => params['partnerCustomerId'] ?? ''
const paramsOf = (request: StaffRequest) => ({ partnerCustomerId: idOf(request) })

const show = async (request: StaffRequest, problem: string | null = null, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const params = paramsOf(request)
  const reply = await ask(relationships.getByStaff, { params })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const [steps, found, staffActions, names] = await Promise.all([
    ask(nextSteps.listByStaff, { params }),
    ask(orders.search, { body: { partner_customer_id: params.partnerCustomerId } }),
    readStaffActions(request, params.partnerCustomerId),
    readNames(request, reply.value.customer.partner_id),
  ])
  return pageOf(
    customerPage({
      session,
      customer: reply.value.customer,
      nextSteps: steps.ok ? steps.value.next_steps : [],
      orders: found.ok ? found.value.orders : null,
      staffActions,
      names,
      problem,
    }),
    status,
  )
}

/** Redirects to the customer, or shows why the action failed. */
const answer = (request: StaffRequest, reply: Reply<Operation>): Answer | Promise<Answer> =>
  reply.ok
    ? redirectTo(customerPath(idOf(request)))
    : answerRefusedForm(reply, request.form, ({ problem, errors }, status) =>
        show(request, problem ?? Object.values(errors).join(' '), status),
      )

const grant = async (request: StaffRequest): Promise<Answer> => {
  const { ask, params, form } = request
  const capability = (params['capability'] ?? '') as CapabilityName
  const body = { enabled: form.get('enabled') === 'true' }
  return answer(
    request,
    await ask(capabilities.grant, { params: { ...paramsOf(request), capability }, body }),
  )
}

/** Suspends capabilities of the merchant that the customer belongs to. */
const suspend = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const found = await ask(relationships.getByStaff, { params: paramsOf(request) })
  if (!found.ok) return { kind: 'error', code: found.code }
  const params = { customerId: found.value.customer.customer_id }
  const body = { capabilities: form.getAll('capabilities') as CapabilityName[] }
  return answer(request, await ask(capabilities.suspend, { params, body }))
}

const change =
  (
    operation:
      typeof relationships.revoke | typeof relationships.reinstate | typeof relationships.confirmLink,
  ) =>
  async (request: StaffRequest): Promise<Answer> =>
    answer(request, await request.ask(operation, { params: paramsOf(request) }))

const exportData = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(personalData.export, { params: paramsOf(request), query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { records, next_cursor: next } = reply.value
  const pages = pageLinks(`${customerPath(idOf(request))}/personal-data`, request, next)
  return pageOf(personalDataPage({ session, partnerCustomerId: idOf(request), records, pages }))
}

const erase = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(personalData.erase, { params: paramsOf(request) })
  if (!reply.ok) return answer(request, reply)
  const { erased, remaining } = reply.value
  const back = customerPath(idOf(request))
  return pageOf(erasurePage({ session, back, erased: erased.map((what) => ({ what })), remaining }))
}

/** The list of customers, and a partner's customer: its capabilities, its relationship and its personal data. */
export const customerScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: CUSTOMERS_PATH, answer: listCustomers }),
  sessionScreen('console', { method: 'GET', path: CUSTOMERS_FILE_PATH, answer: downloadCustomers }),
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request) }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/capabilities/:capability`, answer: grant }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/suspension`, answer: suspend }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/revoke`, answer: change(relationships.revoke) }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/reinstate`,
    answer: change(relationships.reinstate),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/confirm-link`,
    answer: change(relationships.confirmLink),
  }),
  sessionScreen('console', { method: 'GET', path: `${PATH}/personal-data`, answer: exportData }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/erase`, answer: erase }),
]
