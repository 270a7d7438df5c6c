import type { WebhookStatus } from '@causeway/contracts'
import { formWith, type FormState } from '../form-state.ts'
import { cursorOf, pageLinks } from '../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../replies.ts'
import type { Answer, ScreenRequest } from '../screen.ts'
import type { Webhook, WebhookInput } from './client.ts'
import { errorOf, param, webhookPath, type Handler, type ManagedPlace } from './place.ts'
import { OVERLAPS, rotatePage, secretPage } from './secret-view.ts'
import { deleteWebhookPage, editWebhookPage, newWebhookPage, webhooksPage } from './webhooks-view.ts'

type ManagedHandler = Handler<ManagedPlace>

const inputOf = ({ form }: ScreenRequest): WebhookInput => ({
  url: (form.get('url') ?? '').trim(),
  eventTypes: form.getAll('event_types'),
  integrationId: (form.get('integrationId') ?? '').trim(),
})

/** Fills the form of a webhook. */
const enteredOf = ({ url, eventTypes, integrationId }: Webhook): URLSearchParams =>
  new URLSearchParams([
    ['url', url],
    ['integrationId', integrationId ?? ''],
    ...(eventTypes ?? []).map((type): [string, string] => ['event_types', type]),
  ])

/** Shows the page of a form only to readers that may send it. */
const withRole =
  (show: ManagedHandler): ManagedHandler =>
  (request, place) =>
    place.mayChange ? show(request, place) : { kind: 'error', code: 'insufficient_scope' }

/** Shows the page of a form that is about the webhook that the path names. */
const withWebhook = (show: (place: ManagedPlace, webhook: Webhook) => Answer): ManagedHandler =>
  withRole(async (request, place) => {
    const found = await place.client.find(param(request, 'webhookId'))
    if (!found.ok) return errorOf(found)
    return found.value === null ? { kind: 'error', code: 'resource_not_found' } : show(place, found.value)
  })

export const listWebhooks: ManagedHandler = async (request, place) => {
  const listed = await place.client.list(cursorOf(request).cursor ?? null)
  if (!listed.ok) return errorOf(listed)
  const { items, next } = listed.value
  return pageOf(webhooksPage(place, items, pageLinks(place.paths.list, request, next)))
}

export const showNew = withRole((_, place) => pageOf(newWebhookPage(place, formWith())))

export const create: ManagedHandler = async (request, place) => {
  const made = await place.client.create(inputOf(request))
  if (made.ok) return pageOf(secretPage(place, made.value, true))
  return answerRefusedForm(made, request.form, (state, status) =>
    pageOf(newWebhookPage(place, state), status),
  )
}

export const showEdit = withWebhook((place, webhook) =>
  pageOf(editWebhookPage(place, webhook.id, formWith(enteredOf(webhook)))),
)

export const update: ManagedHandler = async (request, place) => {
  const id = param(request, 'webhookId')
  const updated = await place.client.update(id, inputOf(request))
  if (updated.ok) return redirectTo(webhookPath(place.paths, id))
  const show = (state: FormState, status: number) => pageOf(editWebhookPage(place, id, state), status)
  return answerRefusedForm(updated, request.form, show)
}

export const showDelete = withWebhook((place, webhook) => pageOf(deleteWebhookPage(place, webhook)))

export const remove: ManagedHandler = async (request, place) => {
  const removed = await place.client.remove(param(request, 'webhookId'))
  return removed.ok ? redirectTo(place.paths.list) : errorOf(removed)
}

export const showRotate = withWebhook((place, webhook) => pageOf(rotatePage(place, webhook)))

export const rotate: ManagedHandler = async (request, place) => {
  const id = param(request, 'webhookId')
  const hours = OVERLAPS[request.form.get('overlap') ?? '']
  // A missing field must not revoke the former secret.
  if (hours === undefined) return redirectTo(`${webhookPath(place.paths, id)}/secret`)
  const made = await place.client.rotateSecret(id, hours)
  return made.ok ? pageOf(secretPage(place, made.value, false)) : errorOf(made)
}

/** Revokes the former secret before the overlap ends. */
export const endOverlap: ManagedHandler = async (request, place) => {
  const id = param(request, 'webhookId')
  const ended = await place.client.endOverlap(id)
  return ended.ok ? redirectTo(webhookPath(place.paths, id)) : errorOf(ended)
}

/** Creates the handler that disables or enables a webhook. */
const withStatus =
  (status: WebhookStatus): ManagedHandler =>
  async (request, place) => {
    const id = param(request, 'webhookId')
    const updated = await place.client.setStatus(id, status)
    return updated.ok ? redirectTo(webhookPath(place.paths, id)) : errorOf(updated)
  }
export const disable = withStatus('disabled')
export const enable = withStatus('active')

/** Sends a test event, and redirects to its delivery. */
export const test: ManagedHandler = async (request, place) => {
  const id = param(request, 'webhookId')
  const tested = await place.client.test(id)
  if (!tested.ok) return errorOf(tested)
  const path = webhookPath(place.paths, id)
  const { eventId } = tested.value
  return redirectTo(eventId === null ? `${path}/deliveries?event_type=test` : `${path}/events/${eventId}`)
}
