import type { WebhookStatus } from '@causeway/contracts'
import { formWith, type FormState } from '../form-state.ts'
import { cursorOf, pageLinks } from '../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../replies.ts'
import type { Answer } from '../screen.ts'
import { findWebhook, type Webhook, type WebhookInput } from './client.ts'
import { clientOf, errorOf, param, webhookPath, WEBHOOKS_PATH, type PortalRequest } from './frame.ts'
import { OVERLAPS } from '../secret-overlap.ts'
import { rotatePage, secretPage } from './secret-view.ts'
import { webhookPage } from './webhook-view.ts'
import { deleteWebhookPage, editWebhookPage, newWebhookPage, webhooksPage } from './webhooks-view.ts'

/** Deliveries by which the health of a webhook is judged. */
const HEALTH_OF_LAST = '100'

const NOT_FOUND: Answer = { kind: 'error', code: 'resource_not_found' }

const inputOf = ({ form }: PortalRequest): WebhookInput => ({
  url: (form.get('url') ?? '').trim(),
  eventTypes: form.getAll('event_types'),
  integrationId: (form.get('integrationId') ?? '').trim(),
})

/** What the form of a webhook holds: every type is as none, so that types which are added later come too. */
const enteredOf = ({ url, eventTypes, integrationId }: Webhook, choosable: readonly string[] | null) => {
  const chosen = eventTypes?.length === choosable?.length ? [] : (eventTypes ?? [])
  return new URLSearchParams([
    ['url', url],
    ['integrationId', integrationId ?? ''],
    ...chosen.map((type): [string, string] => ['event_types', type]),
  ])
}

export const listWebhooks = async (request: PortalRequest): Promise<Answer> => {
  const { list, choosableTypes: choosable } = clientOf(request)
  const listed = await list(cursorOf(request).cursor ?? null)
  if (!listed.ok) return errorOf(listed)
  const { items, next } = listed.value
  const page = pageLinks(WEBHOOKS_PATH, request, next)
  return pageOf(webhooksPage({ session: request.session, webhooks: items, choosable, page }))
}

export const showNew = (request: PortalRequest, state: FormState = formWith(), status = 200): Answer => {
  const { choosableTypes: choosable } = clientOf(request)
  return pageOf(newWebhookPage({ session: request.session, choosable, state }), status)
}

export const create = async (request: PortalRequest): Promise<Answer> => {
  const made = await clientOf(request).create(inputOf(request))
  if (!made.ok)
    return answerRefusedForm(made, request.form, (state, status) => showNew(request, state, status))
  return pageOf(secretPage(request.session, made.value, true))
}

export const showWebhook = async (request: PortalRequest): Promise<Answer> => {
  const client = clientOf(request)
  const id = param(request, 'webhookId')
  const listed = await client.deliveries(id, { limit: HEALTH_OF_LAST })
  if (!listed.ok) return errorOf(listed)
  const found = await findWebhook(client, id)
  if (!found.ok) return errorOf(found)
  return pageOf(
    webhookPage({
      session: request.session,
      id,
      webhook: found.value,
      choosable: client.choosableTypes,
      deliveries: listed.value.items,
    }),
  )
}

/** Answers with what `show` makes of the webhook of the path. */
const withWebhook =
  (show: (webhook: Webhook, request: PortalRequest) => Answer) =>
  async (request: PortalRequest): Promise<Answer> => {
    const found = await findWebhook(clientOf(request), param(request, 'webhookId'))
    if (!found.ok) return errorOf(found)
    return found.value === null ? NOT_FOUND : show(found.value, request)
  }

const showForm = (request: PortalRequest, state: FormState, status = 200): Answer => {
  const { choosableTypes: choosable } = clientOf(request)
  const form = { session: request.session, choosable, state }
  return pageOf(editWebhookPage(form, param(request, 'webhookId')), status)
}

export const showEdit = withWebhook((webhook, request) =>
  showForm(request, formWith(enteredOf(webhook, clientOf(request).choosableTypes))),
)

export const update = async (request: PortalRequest): Promise<Answer> => {
  const id = param(request, 'webhookId')
  const updated = await clientOf(request).update(id, inputOf(request))
  if (updated.ok) return redirectTo(webhookPath(id))
  return answerRefusedForm(updated, request.form, (state, status) => showForm(request, state, status))
}

export const showDelete = withWebhook((webhook, { session }) => pageOf(deleteWebhookPage(session, webhook)))

export const remove = async (request: PortalRequest): Promise<Answer> => {
  const removed = await clientOf(request).remove(param(request, 'webhookId'))
  return removed.ok ? redirectTo(WEBHOOKS_PATH) : errorOf(removed)
}

export const showRotate = withWebhook((webhook, { session }) => pageOf(rotatePage(session, webhook)))

export const rotate = async (request: PortalRequest): Promise<Answer> => {
  const hours = OVERLAPS[request.form.get('overlap') ?? '']
  // Nobody's secret stops because a field was missing.
  if (hours === undefined) return redirectTo(`${webhookPath(param(request, 'webhookId'))}/secret`)
  const made = await clientOf(request).rotateSecret(param(request, 'webhookId'), hours)
  return made.ok ? pageOf(secretPage(request.session, made.value, false)) : errorOf(made)
}

/** Lets the former secret sign no more, before its time. */
export const endOverlap = async (request: PortalRequest): Promise<Answer> => {
  const id = param(request, 'webhookId')
  const ended = await clientOf(request).endOverlap(id)
  return ended.ok ? redirectTo(webhookPath(id)) : errorOf(ended)
}

/** Lets no further attempt begin, or lets them begin again. */
const withStatus =
  (status: WebhookStatus) =>
  async (request: PortalRequest): Promise<Answer> => {
    const id = param(request, 'webhookId')
    const updated = await clientOf(request).setStatus(id, status)
    return updated.ok ? redirectTo(webhookPath(id)) : errorOf(updated)
  }
export const disable = withStatus('disabled')
export const enable = withStatus('active')

/** Sends a test call, and leads to what the log has of it. */
export const test = async (request: PortalRequest): Promise<Answer> => {
  const id = param(request, 'webhookId')
  const tested = await clientOf(request).test(id)
  if (!tested.ok) return errorOf(tested)
  const { eventId } = tested.value
  return redirectTo(
    eventId === null ? `${webhookPath(id)}/deliveries?type=test` : `${webhookPath(id)}/events/${eventId}`,
  )
}
