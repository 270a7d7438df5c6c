import type { RedeliveryRequest } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { ownerParams, placeOf, type LogOwner } from './owner.ts'
import { redeliveriesPage, redeliveryPage } from './redelivery-views.ts'

const paramsOf = (owner: LogOwner, request: StaffRequest) => ({
  ...ownerParams(owner, request),
  webhookId: request.params['webhookId'] ?? '',
})
const pathOf = (owner: LogOwner, request: StaffRequest): string =>
  `${placeOf(owner, request).path}/webhooks/${request.params['webhookId'] ?? ''}/redeliveries`

const show = async (
  owner: LogOwner,
  request: StaffRequest,
  state: FormState,
  status = 200,
): Promise<Answer> => {
  const params = paramsOf(owner, request)
  const reply = await request.ask(owner.listRedeliveries, { params })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { redeliveries } = reply.value
  const { session } = request
  const place = placeOf(owner, request)
  return pageOf(
    redeliveriesPage({ session, place, webhookId: params.webhookId, redeliveries, state }),
    status,
  )
}

/** What the form asks for; what cannot be read goes to the operation as it is, which refuses it. */
const requestOf = (form: URLSearchParams): RedeliveryRequest => {
  const entered = Object.fromEntries(
    [...form].filter(([name, value]) => name !== 'form_token' && value !== ''),
  )
  const perSecond = entered['per_second']
  const pace =
    perSecond === undefined ? {} : { per_second: /^\d{1,6}$/.test(perSecond) ? Number(perSecond) : perSecond }
  return { ...entered, ...pace } as RedeliveryRequest
}

const create = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const reply = await ask(owner.createRedelivery, { params: paramsOf(owner, request), body: requestOf(form) })
  if (!reply.ok) return answerRefusedForm(reply, form, (state, status) => show(owner, request, state, status))
  return redirectTo(`${pathOf(owner, request)}/${reply.value.redelivery.redelivery_id}`)
}

const oneOf = (owner: LogOwner, request: StaffRequest) => ({
  ...paramsOf(owner, request),
  redeliveryId: request.params['redeliveryId'] ?? '',
})

const showOne = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(owner.getRedelivery, { params: oneOf(owner, request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return pageOf(redeliveryPage(request.session, placeOf(owner, request), reply.value.redelivery))
}

const cancel = async (owner: LogOwner, request: StaffRequest): Promise<Answer> => {
  const params = oneOf(owner, request)
  const reply = await request.ask(owner.cancelRedelivery, { params })
  return reply.ok
    ? redirectTo(`${pathOf(owner, request)}/${params.redeliveryId}`)
    : { kind: 'error', code: reply.code }
}

/** Sending the events of a destination again in bulk. */
export const redeliveryScreens = (owner: LogOwner): readonly Screen[] => {
  const path = `${owner.path}/:${owner.parameter}/webhooks/:webhookId/redeliveries`
  return [
    sessionScreen('console', {
      method: 'GET',
      path,
      answer: (request) => show(owner, request, formWith()),
    }),
    sessionScreen('console', { method: 'POST', path, answer: (request) => create(owner, request) }),
    sessionScreen('console', {
      method: 'GET',
      path: `${path}/:redeliveryId`,
      answer: (request) => showOne(owner, request),
    }),
    sessionScreen('console', {
      method: 'POST',
      path: `${path}/:redeliveryId/cancel`,
      answer: (request) => cancel(owner, request),
    }),
  ]
}
