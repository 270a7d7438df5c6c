import { clients, partners, portalLinks } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { portalLinkPage } from '../portal-link.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { formOfNewPartner, formOfPartner, partnerOfForm } from './form.ts'
import { newPartnerPage, PARTNERS_PATH, partnersPage } from './list-view.ts'
import { partnerPage } from './view.ts'

const PARTNER_PATH = `${PARTNERS_PATH}/:partnerId`
const idOf = ({ params }: StaffRequest): string => params['partnerId'] ?? ''

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(partners.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { partners: rows, next_cursor: next } = reply.value
  return pageOf(partnersPage({ session, partners: rows, page: pageLinks(PARTNERS_PATH, request, next) }))
}

const create = async ({ ask, session, form }: StaffRequest): Promise<Answer> => {
  const reply = await ask(partners.create, { body: partnerOfForm(form) })
  if (!reply.ok)
    return answerRefusedForm(reply, form, (state, status) => pageOf(newPartnerPage(session, state), status))
  const { partner, client } = reply.value
  return pageOf(
    oneTimeSecretPage({
      session,
      current: PARTNERS_PATH,
      title: `${partner.name} was created`,
      advice: 'Send the secret of its first client to the partner through a secure channel.',
      values: [
        { term: 'Client id', value: client.client_id },
        { term: 'Client secret', value: client.client_secret },
      ],
      back: { href: `${PARTNERS_PATH}/${partner.partner_id}`, text: 'Go to the partner' },
    }),
  )
}

/** Shows a partner. @param state overrides of the form that is filled with the partner's data */
const show = async (request: StaffRequest, state: Partial<FormState>, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(partners.get, { params: { partnerId: idOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { partner, clients: rows } = reply.value
  const shown = { ...formWith(formOfPartner(partner)), ...state }
  return pageOf(partnerPage({ session, partner, clients: rows, state: shown }), status)
}

const update = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const partnerId = idOf(request)
  const reply = await ask(partners.update, { params: { partnerId }, body: partnerOfForm(form) })
  return reply.ok
    ? redirectTo(`${PARTNERS_PATH}/${partnerId}`)
    : answerRefusedForm(reply, form, (state, status) => show(request, state, status))
}

const changeStatus = async (request: StaffRequest): Promise<Answer> => {
  const partnerId = idOf(request)
  const status = request.form.get('status') === 'disabled' ? 'disabled' : 'active'
  const reply = await request.ask(partners.update, { params: { partnerId }, body: { status } })
  return reply.ok ? redirectTo(`${PARTNERS_PATH}/${partnerId}`) : { kind: 'error', code: reply.code }
}

const createClient = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const partnerId = idOf(request)
  const reply = await ask(clients.create, { params: { partnerId }, body: {} })
  if (!reply.ok)
    return answerRefusedForm(reply, request.form, ({ problem }, status) => show(request, { problem }, status))
  const { client_id: clientId, client_secret: secret } = reply.value.client
  return pageOf(
    oneTimeSecretPage({
      session,
      current: PARTNERS_PATH,
      title: 'Client created',
      advice:
        'It has all scopes of the partner until you restrict them. Send its secret to the partner through a secure channel.',
      values: [
        { term: 'Client id', value: clientId },
        { term: 'Client secret', value: secret },
      ],
      back: { href: `${PARTNERS_PATH}/${partnerId}/clients/${clientId}`, text: 'Go to the client' },
    }),
  )
}

const createPortalLink = async (request: StaffRequest): Promise<Answer> => {
  const partnerId = idOf(request)
  const reply = await request.ask(portalLinks.createOfPartner, { params: { partnerId } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const back = { href: `${PARTNERS_PATH}/${partnerId}`, text: 'Back to the partner' }
  return pageOf(portalLinkPage(request.session, PARTNERS_PATH, reply.value.portal_link, back))
}

/** Partners and their permissions. */
export const partnerScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PARTNERS_PATH, answer: list }),
  sessionScreen('console', {
    method: 'GET',
    path: `${PARTNERS_PATH}/new`,
    answer: async ({ session }) => pageOf(newPartnerPage(session, formWith(formOfNewPartner()))),
  }),
  sessionScreen('console', { method: 'POST', path: `${PARTNERS_PATH}/new`, answer: create }),
  sessionScreen('console', { method: 'GET', path: PARTNER_PATH, answer: (request) => show(request, {}) }),
  sessionScreen('console', { method: 'POST', path: PARTNER_PATH, answer: update }),
  sessionScreen('console', { method: 'POST', path: `${PARTNER_PATH}/status`, answer: changeStatus }),
  sessionScreen('console', { method: 'POST', path: `${PARTNER_PATH}/clients`, answer: createClient }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PARTNER_PATH}/portal-links`,
    answer: createPortalLink,
  }),
]
