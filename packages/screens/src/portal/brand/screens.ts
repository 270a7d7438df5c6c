import { brands, type ErrorDetail } from '@causeway/contracts'
import { formWith, type FormState } from '../../form-state.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { sessionScreen, type Answer, type Ask, type Screen } from '../../screen.ts'
import type { Session } from '../../session.ts'
import type { PortalRequest, PortalSession } from '../frame.ts'
import { BRAND_PATH } from './paths.ts'
import { brandPage, formOfBrand } from './view.ts'

type Visit = Readonly<{ ask: Ask; session: PortalSession }>

const NOT_FOUND: Answer = { kind: 'error', code: 'resource_not_found' }

/** The partner whose people are signed in; a merchant has no brand to set. */
const partnerOf = ({ session: { principal } }: Visit) =>
  principal.kind === 'partner' ? { partnerId: principal.partnerId } : null

/** Shows the brand. @param state overrides of the form that is filled with the brand's values */
const show = async (visit: Visit, state: Partial<FormState> = {}, status = 200): Promise<Answer> => {
  const params = partnerOf(visit)
  if (params === null) return NOT_FOUND
  const reply = await visit.ask(brands.getByStaff, { params })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { brand } = reply.value
  return pageOf(brandPage(visit.session, brand, { ...formWith(formOfBrand(brand)), ...state }), status)
}

const valueOf = (form: URLSearchParams, name: string): string | null => (form.get(name) ?? '').trim() || null

const save = async (request: PortalRequest): Promise<Answer> => {
  const params = partnerOf(request)
  if (params === null) return NOT_FOUND
  const { form } = request
  const body = {
    name: valueOf(form, 'name'),
    accent_color: valueOf(form, 'accent_color'),
    support_address: valueOf(form, 'support_address'),
  }
  const reply = await request.ask(brands.putByStaff, { params, body })
  return reply.ok
    ? redirectTo(BRAND_PATH)
    : answerRefusedForm(reply, form, (state, status) => show(request, state, status))
}

const deleteLogo = async (request: PortalRequest): Promise<Answer> => {
  const params = partnerOf(request)
  if (params === null) return NOT_FOUND
  const reply = await request.ask(brands.deleteLogoByStaff, { params })
  return reply.ok ? redirectTo(BRAND_PATH) : { kind: 'error', code: reply.code }
}

/** The image of the logo form as the gateway has received it, or why not. */
export type ReceivedLogo =
  | Readonly<{ ok: true; contentBase64: string }>
  | Readonly<{ ok: false; code: 'invalid_request'; details: readonly ErrorDetail[] }>

/** The logo form of the portal: a file, whose form token is in the query. */
export const logoUpload = {
  path: `${BRAND_PATH}/logo`,
  /** The gateway passes sessions of the portal alone. */
  async answer(request: Readonly<{ ask: Ask; session: Session }>, received: ReceivedLogo): Promise<Answer> {
    const visit = request as Visit
    const params = partnerOf(visit)
    if (params === null) return NOT_FOUND
    const reply = received.ok
      ? await visit.ask(brands.putLogoByStaff, { params, body: { content_base64: received.contentBase64 } })
      : received
    if (reply.ok) return redirectTo(BRAND_PATH)
    // All that can be wrong is the file, which the form names differently from the API.
    const details = (reply.details ?? []).map((detail) => ({ ...detail, field: 'logo' }))
    return answerRefusedForm({ ...reply, details }, new URLSearchParams(), ({ errors, problem }, status) =>
      show(visit, { errors, problem }, status),
    )
  },
}

/** The brand of the signed-in partner (decisions §53). */
export const brandScreens: readonly Screen[] = [
  sessionScreen('portal', { method: 'GET', path: BRAND_PATH, answer: (request) => show(request) }),
  sessionScreen('portal', { method: 'POST', path: BRAND_PATH, answer: save }),
  sessionScreen('portal', { method: 'POST', path: `${BRAND_PATH}/logo/delete`, answer: deleteLogo }),
]
