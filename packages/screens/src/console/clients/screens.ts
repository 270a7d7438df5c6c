import { clientKeys, clients, partners, type ClientJwks, SCOPES, type Client } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { PARTNERS_PATH } from '../partners/list-view.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { clientPage, clientPath } from './view.ts'
import type { z } from 'zod'
import { chosen, type Field } from '../partners/form.ts'

/** Changes to a client. */
type ClientUpdate = z.input<(typeof clients)['update']['body']>

/** Fills the form with a client. */
const formOfClient = (client: Client): URLSearchParams =>
  new URLSearchParams([
    ...client.scopes.map((scope): Field => ['scopes', scope]),
    ['allowed_addresses', client.allowed_addresses?.join('\n') ?? ''],
    ['daily_refund_limit_cents', client.daily_refund_limit_cents?.toString() ?? ''],
  ])

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Reads the form. An empty field removes its limit. The operation refuses text that is not a number. */
const clientOfForm = (form: URLSearchParams): ClientUpdate => {
  const addresses = (form.get('allowed_addresses') ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const limit = (form.get('daily_refund_limit_cents') ?? '').trim()
  return {
    scopes: chosen(form, 'scopes', SCOPES),
    allowed_addresses: addresses.length === 0 ? null : addresses,
    daily_refund_limit_cents: limit === '' ? null : isNumber(limit) ? Number(limit) : (limit as never),
  }
}

const PATH = `${PARTNERS_PATH}/:partnerId/clients/:clientId`

const idsOf = ({ params }: StaffRequest) => ({
  partnerId: params['partnerId'] ?? '',
  clientId: params['clientId'] ?? '',
})
const pathOf = (request: StaffRequest): string => {
  const { partnerId, clientId } = idsOf(request)
  return clientPath(partnerId, clientId)
}

type Shown = Partial<FormState> & Readonly<{ jwks?: string }>

/** Shows a client. @param shown overrides of the forms that are filled with the client's data */
const show = async (request: StaffRequest, shown: Shown, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const { partnerId, clientId } = idsOf(request)
  const found = await ask(partners.get, { params: { partnerId } })
  if (!found.ok) return { kind: 'error', code: found.code }
  const { partner, clients: all } = found.value
  const client = all.find((one) => one.client_id === clientId)
  if (client === undefined) return { kind: 'error', code: 'resource_not_found' }
  const keys = await ask(clientKeys.get, { params: { clientId } })
  if (!keys.ok) return { kind: 'error', code: keys.code }
  const jwks = shown.jwks ?? JSON.stringify(keys.value.jwks, null, 2)
  const state = { ...formWith(formOfClient(client)), ...shown }
  return pageOf(clientPage({ session, partner, client, jwks, state }), status)
}

/** Allows writes only below the client's own partner: the operations take a client id without its partner. */
const underPartner =
  (write: (request: StaffRequest) => Promise<Answer>) =>
  async (request: StaffRequest): Promise<Answer> => {
    const { partnerId, clientId } = idsOf(request)
    const found = await request.ask(partners.get, { params: { partnerId } })
    if (!found.ok) return { kind: 'error', code: found.code }
    return found.value.clients.some(({ client_id: id }) => id === clientId)
      ? write(request)
      : { kind: 'error', code: 'resource_not_found' }
  }

const change = async (request: StaffRequest, body: ClientUpdate): Promise<Answer> => {
  const { clientId } = idsOf(request)
  const reply = await request.ask(clients.update, { params: { clientId }, body })
  return reply.ok
    ? redirectTo(pathOf(request))
    : answerRefusedForm(reply, request.form, (state, status) => show(request, state, status))
}

const rotateSecret = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, form } = request
  const { clientId } = idsOf(request)
  const body = { grace_seconds: Number(form.get('grace_seconds') ?? '0') }
  const reply = await ask(clients.rotateSecret, { params: { clientId }, body })
  if (!reply.ok)
    return answerRefusedForm(reply, form, ({ problem }, status) => show(request, { problem }, status))
  return pageOf(
    oneTimeSecretPage({
      session,
      current: PARTNERS_PATH,
      title: 'New secret',
      advice: 'Send it to the partner through a secure channel.',
      values: [
        { term: 'Client id', value: clientId },
        { term: 'Client secret', value: reply.value.client.client_secret },
      ],
      back: { href: pathOf(request), text: 'Back to the client' },
    }),
  )
}

/** Parses the entered keys; null if they are not JSON. */
const jwksOf = (text: string): ClientJwks | null => {
  try {
    return JSON.parse(text) as ClientJwks
  } catch {
    return null
  }
}

const replaceKeys = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const { clientId } = idsOf(request)
  const entered = form.get('jwks') ?? ''
  const showFault = ({ errors, problem }: FormState, status: number) =>
    show(request, { errors, problem, jwks: entered }, status)
  const jwks = jwksOf(entered)
  if (jwks === null)
    return answerRefusedForm(
      { ok: false, code: 'invalid_request', details: [{ field: 'jwks', reason: 'invalid_json' }] },
      form,
      showFault,
    )
  const reply = await ask(clientKeys.replace, { params: { clientId }, body: { jwks } })
  return reply.ok ? redirectTo(pathOf(request)) : answerRefusedForm(reply, form, showFault)
}

/** The clients of partners, with their secrets and keys. */
export const clientScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request, {}) }),
  sessionScreen('console', {
    method: 'POST',
    path: PATH,
    answer: underPartner((request) => change(request, clientOfForm(request.form))),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/status`,
    answer: underPartner((request) =>
      change(request, { status: request.form.get('status') === 'disabled' ? 'disabled' : 'active' }),
    ),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/secret`, answer: underPartner(rotateSecret) }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/keys`, answer: underPartner(replaceKeys) }),
]
