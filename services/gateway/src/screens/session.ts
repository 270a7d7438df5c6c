import { equalInConstantTime } from '@causeway/chassis'
import { actorOf, type Principal, type ShownFor } from '@causeway/contracts'
import {
  isOfArea,
  pendingActionPath,
  staleFormPage,
  type Answer,
  type Area,
  type Ask,
  type LanguageTag,
  type Session,
} from '@causeway/screens'
import { formTokenOf, type SessionCookies } from '../auth/session-cookie.ts'
import type { FindBrand, ReadLogo } from '../clients/brands.ts'
import type { PortalPeople } from '../clients/portal-people.ts'
import type { Sessions } from '../clients/sessions.ts'
import type { Exchange } from '../http/exchange.ts'
import type { SessionAsk } from './session-ask.ts'

/** The answer to a form that no page of the session sent, or one that a session before this one did. */
export const staleForm = (tag: LanguageTag = 'en') =>
  ({ kind: 'page', status: 403, html: staleFormPage(tag) }) as const satisfies Answer

/** Checks whether a form comes from no page of its session. @param given its form token */
export const isForged = ({ formToken }: Pick<Session, 'formToken'>, given: string | null): boolean =>
  !equalInConstantTime(given ?? '', formToken)

export type FindSessionOptions = Readonly<{
  sessions: Sessions
  portalPeople: PortalPeople
  cookies: SessionCookies
  findBrand: FindBrand
  readLogo: ReadLogo
}>

/** The pages that a principal of the portal reads. */
const pagesOf = (principal: Principal): ShownFor =>
  principal.kind === 'merchant'
    ? { merchant_id: principal.merchantId }
    : { partner_id: principal.kind === 'partner' ? principal.partnerId : undefined }

/** Finds the session of a request in an area; null without one. */
export const findSession = async (
  { sessions, portalPeople, cookies, findBrand, readLogo }: FindSessionOptions,
  exchange: Exchange,
  area: Area,
): Promise<Session | null> => {
  const token = cookies.tokenOf(exchange.request, area)
  const principal = token === null ? null : await sessions.find(token)
  if (token === null || principal === null || !isOfArea(area, principal)) return null
  exchange.client = actorOf(principal)
  return {
    principal,
    formToken: formTokenOf(token),
    brand: area === 'portal' ? await findBrand(pagesOf(principal)) : null,
    readLogo,
    listOwn: () => sessions.listOwn(principal),
    people: portalPeople.of(principal),
    endOwn: (sessionId) => sessions.endOwn(principal, sessionId),
  }
}

/** Answers as the principal of a session; an action that waits for a second person leads to its page. */
export const answerAs = async (
  askAs: SessionAsk['askAs'],
  { principal }: Session,
  answer: (ask: Ask) => Promise<Answer>,
): Promise<Answer> => {
  const held: string[] = []
  const given = await answer(askAs(principal, (pendingActionId) => held.push(pendingActionId)))
  const [heldId] = held
  return heldId === undefined ? given : { kind: 'redirect', to: pendingActionPath(heldId) }
}
