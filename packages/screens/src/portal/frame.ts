import { form, html, page, submit, type Html } from '../design/index.ts'
import type { Answer, SessionRequest } from '../screen.ts'
import { FORM_TOKEN, type Principal, type Session } from '../session.ts'
import type { Refused, WebhookClient } from './client.ts'
import { merchantClient } from './merchant-client.ts'
import { partnerClient } from './partner-client.ts'

type PortalPrincipal = Exclude<Principal, { kind: 'staff' }>
export type PortalSession = Session<PortalPrincipal>
export type PortalRequest = SessionRequest<PortalPrincipal>

export const WEBHOOKS_PATH = '/portal'
export const EVENTS_PATH = '/portal/events'
export const SESSIONS_PATH = '/portal/sessions'
export const webhookPath = (id: string): string => `/portal/webhooks/${id}`

const PAGES = [
  { href: WEBHOOKS_PATH, text: 'Webhooks' },
  { href: EVENTS_PATH, text: 'Event log' },
  { href: SESSIONS_PATH, text: 'Sessions' },
] as const

type PortalPage = Readonly<{
  session: PortalSession
  title: string
  /** The address in the navigation that this page belongs to. */
  current: (typeof PAGES)[number]['href']
  main: Html
  /** Names of further scripts. */
  scripts?: readonly string[]
  refreshSeconds?: number
}>

/** A form of the portal, with the proof that one of its pages sent it. */
export const portalForm = ({ formToken }: PortalSession, action: string, content: Html): Html =>
  form({ action, hidden: { [FORM_TOKEN]: formToken } }, content)

const nameOf = (principal: PortalPrincipal): string =>
  principal.kind === 'partner' ? principal.partnerId : principal.merchantId

/** A page of the portal: its navigation, whose webhooks these are, and the way out. */
export const portalPage = ({
  session,
  title,
  current,
  main,
  scripts = [],
  refreshSeconds,
}: PortalPage): Html =>
  page({
    scripts,
    title: `${title} · Webhook portal`,
    brand: 'Webhook portal',
    links: PAGES.map((link) => ({ ...link, isCurrent: link.href === current })),
    ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
    main: html`${main}
      <section class="signed-in" aria-label="Signed in">
        <p>Signed in for the ${session.principal.kind} <code>${nameOf(session.principal)}</code></p>
        ${portalForm(session, '/portal/sign-out', submit('Sign out', 'quiet'))}
      </section>`,
  })

export const clientOf = ({ ask, session: { principal } }: PortalRequest): WebhookClient =>
  principal.kind === 'partner' ? partnerClient(ask, principal.partnerId) : merchantClient(ask)

export const errorOf = ({ code }: Refused): Answer => ({ kind: 'error', code })
export const param = ({ params }: PortalRequest, name: string): string => params[name] ?? ''
