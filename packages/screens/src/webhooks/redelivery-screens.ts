import { ERRORS, type RedeliveryRequest } from '@causeway/contracts'
import { formWith, type FormState } from '../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../replies.ts'
import type { Answer, ScreenRequest } from '../screen.ts'
import { toTimestamp } from './log-view.ts'
import { errorOf, hasReason, param, webhookPath, type Handler, type Place } from './place.ts'
import { redeliveriesPage, redeliveryPage } from './redeliveries-view.ts'

const pathOf = (request: ScreenRequest, { paths }: Place): string =>
  `${webhookPath(paths, param(request, 'webhookId'))}/redeliveries`

const answerList = async (
  request: ScreenRequest,
  place: Place,
  state: FormState,
  status = 200,
): Promise<Answer> => {
  const webhookId = param(request, 'webhookId')
  const listed = await place.client.redeliveries(webhookId)
  if (!listed.ok) return errorOf(listed)
  return pageOf(redeliveriesPage(place, { webhookId, redeliveries: listed.value, state }), status)
}

export const listRedeliveries: Handler = (request, place) => answerList(request, place, formWith())

export const showRedelivery: Handler = async (request, place) => {
  const { client } = place
  const found = await client.redelivery(param(request, 'webhookId'), param(request, 'redeliveryId'))
  return found.ok ? pageOf(redeliveryPage(place, found.value)) : errorOf(found)
}

/** Reads the redelivery form. Invalid values are passed on as entered, and the operation refuses them. */
const requestOf = (form: URLSearchParams): RedeliveryRequest => {
  const entered = (name: string) => (form.get(name) ?? '').trim()
  const [until, status, pace] = [entered('until'), entered('status'), entered('per_second')]
  return {
    since: toTimestamp(entered('since')),
    ...(until !== '' && { until: toTimestamp(until) }),
    ...(status !== '' && { status }),
    ...(pace !== '' && { per_second: /^\d{1,6}$/.test(pace) ? Number(pace) : pace }),
  } as RedeliveryRequest
}

export const redeliver: Handler = async (request, place) => {
  const { form } = request
  const started = await place.client.redeliver(param(request, 'webhookId'), requestOf(form))
  if (started.ok) return redirectTo(pathOf(request, place))
  if (hasReason(started, 'already_running')) {
    const problem = 'A redelivery is already running. Wait until it finishes, or stop it.'
    return answerList(request, place, { ...formWith(form), problem }, ERRORS.invalid_state.status)
  }
  return answerRefusedForm(started, form, (state, status) => answerList(request, place, state, status))
}

export const cancelRedelivery: Handler = async (request, place) => {
  const { client } = place
  const cancelled = await client.cancelRedelivery(param(request, 'webhookId'), param(request, 'redeliveryId'))
  return cancelled.ok ? redirectTo(pathOf(request, place)) : errorOf(cancelled)
}
