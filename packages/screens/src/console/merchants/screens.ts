import { apiKeys, portalLinks } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { readNames } from '../names.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { portalLinkPage } from '../portal-link.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { endReservePlan, setReservePlan, showReservePlan } from './reserve-plan.ts'
import { findMerchantPage, merchantPage, MERCHANTS_PATH } from './view.ts'

const PATH = `${MERCHANTS_PATH}/:customerId`
const idOf = ({ params }: StaffRequest): string => params['customerId'] ?? ''
const backTo = (customerId: string) => ({
  href: `${MERCHANTS_PATH}/${customerId}`,
  text: 'Back to the merchant',
})

const open = async ({ session, form }: StaffRequest): Promise<Answer> => {
  const customerId = (form.get('customer_id') ?? '').trim()
  if (/^cus_\w+$/.test(customerId)) return redirectTo(`${MERCHANTS_PATH}/${customerId}`)
  const errors = { customer_id: 'Enter an id that begins with cus_.' }
  return pageOf(findMerchantPage(session, { entered: form, errors, problem: null }), 400)
}

const show = async (request: StaffRequest, problem: string | null, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const customerId = idOf(request)
  const [reply, names] = await Promise.all([
    ask(apiKeys.list, { params: { customerId } }),
    readNames(request, customerId),
  ])
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return pageOf(
    merchantPage({
      session,
      customerId,
      name: names.get(customerId),
      keys: reply.value.api_keys,
      problem,
    }),
    status,
  )
}

const createKey = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, form } = request
  const customerId = idOf(request)
  const reply = await ask(apiKeys.create, { params: { customerId } })
  if (!reply.ok)
    return answerRefusedForm(reply, form, ({ problem }, status) => show(request, problem, status))
  return pageOf(
    oneTimeSecretPage({
      session,
      current: MERCHANTS_PATH,
      title: 'API key created',
      advice: 'Send it to the merchant through a secure channel.',
      values: [{ term: 'API key', value: reply.value.api_key }],
      back: backTo(customerId),
    }),
  )
}

const revokeKey = async (request: StaffRequest): Promise<Answer> => {
  const customerId = idOf(request)
  const params = { customerId, keyId: request.params['keyId'] ?? '' }
  const reply = await request.ask(apiKeys.revoke, { params })
  return reply.ok ? redirectTo(`${MERCHANTS_PATH}/${customerId}`) : { kind: 'error', code: reply.code }
}

const createPortalLink = async (request: StaffRequest): Promise<Answer> => {
  const customerId = idOf(request)
  const reply = await request.ask(portalLinks.createOfMerchant, { params: { customerId } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return pageOf(portalLinkPage(request.session, MERCHANTS_PATH, reply.value.portal_link, backTo(customerId)))
}

/** API keys, portal links and reserve plans of merchants. */
export const merchantScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: MERCHANTS_PATH,
    answer: async ({ session }) => pageOf(findMerchantPage(session, formWith())),
  }),
  sessionScreen('console', { method: 'POST', path: MERCHANTS_PATH, answer: open }),
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request, null) }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/api-keys`, answer: createKey }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/api-keys/:keyId/revoke`, answer: revokeKey }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/portal-links`, answer: createPortalLink }),
  sessionScreen('console', {
    method: 'GET',
    path: `${PATH}/reserve-plan`,
    answer: (request) => showReservePlan(request),
  }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/reserve-plan`, answer: setReservePlan }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/reserve-plan/end`, answer: endReservePlan }),
]
