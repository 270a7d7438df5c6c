import { integrations, integrationUrls } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { MERCHANTS_PATH } from '../merchants/view.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { CHECKOUTS_PATH, checkoutsPage } from './view.ts'

const NEWS: Readonly<Record<string, string>> = {
  processor: 'The processor was changed. It applies to new orders of the checkout.',
  webhook: 'The URL was changed. It applies from the next event.',
}

const show = async ({ session, query }: StaffRequest, state: FormState, status = 200): Promise<Answer> =>
  pageOf(checkoutsPage(session, state, NEWS[query.get('done') ?? ''] ?? null), status)

const textOf = ({ form }: StaffRequest, name: string): string => (form.get(name) ?? '').trim()

/** Shows an unknown checkout as an error of the entered id. */
const withoutCheckout = (request: StaffRequest, field: string): Promise<Answer> =>
  show(
    request,
    { entered: request.form, errors: { [field]: 'No checkout has this id.' }, problem: null },
    404,
  )

const changeProcessor = async (request: StaffRequest): Promise<Answer> => {
  const params = { integrationId: textOf(request, 'integration') }
  const reply = await request.ask(integrations.updateProcessor, {
    params,
    body: { processor: textOf(request, 'processor') },
  })
  if (reply.ok) return redirectTo(`${CHECKOUTS_PATH}?done=processor`)
  if (reply.code === 'resource_not_found') return withoutCheckout(request, 'integration')
  return answerRefusedForm(reply, request.form, (state, status) => show(request, state, status))
}

const setAddress = async (request: StaffRequest): Promise<Answer> => {
  const params = { integrationId: textOf(request, 'integration_id') }
  const url = textOf(request, 'url')
  const reply = await request.ask(integrationUrls.update, { params, body: { url: url === '' ? null : url } })
  if (!reply.ok && reply.code === 'resource_not_found') return withoutCheckout(request, 'integration_id')
  if (!reply.ok)
    return answerRefusedForm(reply, request.form, (state, status) => show(request, state, status))
  const { webhook_secret: secret } = reply.value
  if (secret === null) return redirectTo(`${CHECKOUTS_PATH}?done=webhook`)
  return pageOf(
    oneTimeSecretPage({
      session: request.session,
      current: MERCHANTS_PATH,
      title: 'URL set',
      advice: 'Send it to the merchant through a secure channel. The endpoint needs it to verify signatures.',
      values: [{ term: 'Secret', value: secret }],
      back: { href: CHECKOUTS_PATH, text: 'Back to checkouts' },
    }),
  )
}

/** Checkout settings that staff manage. */
export const checkoutScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: CHECKOUTS_PATH,
    answer: (request) => show(request, formWith()),
  }),
  sessionScreen('console', { method: 'POST', path: `${CHECKOUTS_PATH}/processor`, answer: changeProcessor }),
  sessionScreen('console', { method: 'POST', path: `${CHECKOUTS_PATH}/webhook`, answer: setAddress }),
]
