import {
  destinations,
  PARTNER_EVENT_TYPES,
  type PartnerWebhook,
  type WebhookStatus,
} from '@causeway/contracts'
import { sessionScreen, type Answer, type Reply, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { chosen, type Field } from '../partners/form.ts'
import { PARTNERS_PATH } from '../partners/list-view.ts'
import { OVERLAPS } from '../../secret-overlap.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { destinationPage, destinationsPage, destinationsPath } from './destination-views.ts'

type ListReply = Reply<(typeof destinations)['list']>

const PATH = destinationsPath(':partnerId')

const partnerOf = ({ params }: StaffRequest) => ({ partnerId: params['partnerId'] ?? '' })
const paramsOf = (request: StaffRequest) => ({
  ...partnerOf(request),
  webhookId: request.params['webhookId'] ?? '',
})
const pathOf = (request: StaffRequest): string => {
  const { partnerId, webhookId } = paramsOf(request)
  return `${destinationsPath(partnerId)}/${webhookId}`
}
const bodyOf = ({ form }: StaffRequest) => ({
  url: (form.get('url') ?? '').trim(),
  event_types: chosen(form, 'event_types', PARTNER_EVENT_TYPES),
})
const formOf = ({ url, event_types: types }: PartnerWebhook): URLSearchParams =>
  new URLSearchParams([['url', url], ...types.map((type): Field => ['event_types', type])])

const list = async (request: StaffRequest, state: FormState, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const { partnerId } = partnerOf(request)
  const reply = await ask(destinations.list, { params: { partnerId }, query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { webhooks, next_cursor: next } = reply.value
  const page = pageLinks(destinationsPath(partnerId), request, next)
  return pageOf(destinationsPage({ session, partnerId, webhooks, page, state }), status)
}

const secretPage = (request: StaffRequest, title: string, webhook: PartnerWebhook, secret: string): Answer =>
  pageOf(
    oneTimeSecretPage({
      session: request.session,
      current: PARTNERS_PATH,
      title,
      advice: 'Hand it to the partner on a safe way: with it the receiver checks what arrives.',
      values: [{ term: 'Secret', value: secret }],
      back: {
        href: `${destinationsPath(partnerOf(request).partnerId)}/${webhook.webhook_id}`,
        text: 'To the webhook',
      },
    }),
  )

const create = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(destinations.create, { params: partnerOf(request), body: bodyOf(request) })
  if (!reply.ok)
    return answerRefusedForm(reply, request.form, (state, status) => list(request, state, status))
  const { webhook, webhook_secret: secret } = reply.value
  return secretPage(request, 'A destination is added', webhook, secret)
}

/** A destination of a partner: there is no operation for one, but a partner has few. */
const find = async (request: StaffRequest): Promise<PartnerWebhook | Answer> => {
  const { partnerId, webhookId } = paramsOf(request)
  let cursor: string | null = null
  do {
    const reply: ListReply = await request.ask(destinations.list, {
      params: { partnerId },
      query: cursor === null ? {} : { cursor },
    })
    if (!reply.ok) return { kind: 'error', code: reply.code }
    const found = reply.value.webhooks.find((webhook) => webhook.webhook_id === webhookId)
    if (found !== undefined) return found
    cursor = reply.value.next_cursor
  } while (cursor !== null)
  return { kind: 'error', code: 'resource_not_found' }
}

/** @param state null: the form holds what the destination is */
const show = async (request: StaffRequest, state: FormState | null, status = 200): Promise<Answer> => {
  const webhook = await find(request)
  if ('kind' in webhook) return webhook
  const { partnerId } = partnerOf(request)
  const { session } = request
  return pageOf(
    destinationPage({ session, partnerId, webhook, state: state ?? formWith(formOf(webhook)) }),
    status,
  )
}

const update = async (request: StaffRequest): Promise<Answer> => {
  const params = paramsOf(request)
  const reply = await request.ask(destinations.update, { params, body: bodyOf(request) })
  return reply.ok
    ? redirectTo(pathOf(request))
    : answerRefusedForm(reply, request.form, (state, status) => show(request, state, status))
}

const rotateSecret = async (request: StaffRequest): Promise<Answer> => {
  const params = paramsOf(request)
  const hours = OVERLAPS[request.form.get('overlap') ?? '']
  // No secret stops because a field was missing.
  if (hours === undefined) return redirectTo(pathOf(request))
  const body = hours === null ? {} : { overlap_hours: hours }
  const reply = await request.ask(destinations.rotateSecret, { params, body })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return secretPage(request, 'A new secret', reply.value.webhook, reply.value.webhook_secret)
}

/** Lets the former secret sign no more, before its time. */
const endOverlap = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(destinations.update, {
    params: paramsOf(request),
    body: { former_secret_until: null },
  })
  return reply.ok ? redirectTo(pathOf(request)) : { kind: 'error', code: reply.code }
}

/** Lets no further attempt begin, or lets them begin again. */
const withStatus =
  (status: WebhookStatus) =>
  async (request: StaffRequest): Promise<Answer> => {
    const reply = await request.ask(destinations.update, { params: paramsOf(request), body: { status } })
    return reply.ok ? redirectTo(pathOf(request)) : { kind: 'error', code: reply.code }
  }

/** Sends the sample. What the receiver answered is in the log, where it is read at leisure and stays. */
const sendTest = async (request: StaffRequest): Promise<Answer> => {
  const params = paramsOf(request)
  const reply = await request.ask(destinations.test, { params })
  return reply.ok
    ? redirectTo(`${destinationsPath(params.partnerId)}/${params.webhookId}/deliveries`)
    : { kind: 'error', code: reply.code }
}

const remove = async (request: StaffRequest): Promise<Answer> => {
  const params = paramsOf(request)
  const reply = await request.ask(destinations.delete, { params })
  return reply.ok ? redirectTo(destinationsPath(params.partnerId)) : { kind: 'error', code: reply.code }
}

/** Where partners are told of their events. */
export const destinationScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => list(request, formWith()) }),
  sessionScreen('console', { method: 'POST', path: PATH, answer: create }),
  sessionScreen('console', {
    method: 'GET',
    path: `${PATH}/:webhookId`,
    answer: (request) => show(request, null),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:webhookId`, answer: update }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:webhookId/secret`, answer: rotateSecret }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:webhookId/secret/end`, answer: endOverlap }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/:webhookId/disable`,
    answer: withStatus('disabled'),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/:webhookId/enable`,
    answer: withStatus('active'),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:webhookId/test`, answer: sendTest }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/:webhookId/delete`, answer: remove }),
]
