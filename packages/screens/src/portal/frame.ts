import { form, html, page, submit, type Html, type NavigationLink } from '../design/index.ts'
import type { SessionRequest } from '../screen.ts'
import type { Principal } from '@causeway/contracts'
import { FORM_TOKEN, type Session } from '../session.ts'
import { BALANCES_PATH, PAYOUTS_PATH } from './balances/paths.ts'
import { BRAND_PATH } from './brand/paths.ts'
import { PEOPLE_PATH } from './people/paths.ts'

type PortalPrincipal = Exclude<Principal, { kind: 'staff' }>
export type PortalSession = Session<PortalPrincipal>
export type PortalRequest = SessionRequest<PortalPrincipal>

export const PORTAL_BRAND = 'Causeway portal'
export const WEBHOOKS_PATH = '/portal'
export const PAYMENTS_PATH = '/portal/payments'
export const FIGURES_PATH = '/portal/figures'
export const EVENTS_PATH = '/portal/events'
export const SESSIONS_PATH = '/portal/sessions'

/** Pages in the portal's navigation. A page with `kind` is shown only to that kind of person, one for owners
 * to a person with that role. */
const PAGES = [
  { href: BALANCES_PATH, text: 'Balances', kind: 'merchant' },
  { href: PAYOUTS_PATH, text: 'Payouts', kind: 'merchant' },
  { href: PAYMENTS_PATH, text: 'Payments' },
  { href: FIGURES_PATH, text: 'Figures' },
  { href: WEBHOOKS_PATH, text: 'Webhooks' },
  { href: EVENTS_PATH, text: 'Event log' },
  { href: BRAND_PATH, text: 'Brand', kind: 'partner' },
  { href: PEOPLE_PATH, text: 'People', isForOwners: true },
  { href: SESSIONS_PATH, text: 'Sessions' },
] as const satisfies readonly (NavigationLink &
  Readonly<{ kind?: PortalPrincipal['kind']; isForOwners?: true }>)[]

const isShownTo = ({ kind, person }: PortalPrincipal, link: (typeof PAGES)[number]): boolean =>
  (!('kind' in link) || link.kind === kind) && (!('isForOwners' in link) || person?.role === 'owner')

type PortalPage = Readonly<{
  session: PortalSession
  title: string
  /** Path of the page's entry in the navigation. */
  current: (typeof PAGES)[number]['href']
  main: Html
  /** Names of additional scripts. */
  scripts?: readonly string[]
  refreshSeconds?: number
}>

/** Renders a form of the portal with its form token. */
export const portalForm = ({ formToken }: PortalSession, action: string, content: Html): Html =>
  form({ action, hidden: { [FORM_TOKEN]: formToken } }, content)

/** Renders a file form. Its token is in the query, so that it is checked before the file is read. */
export const portalFileForm = ({ formToken }: PortalSession, action: string, content: Html): Html =>
  form({ action: `${action}?${FORM_TOKEN}=${formToken}`, hasFile: true }, content)

const nameOf = (principal: PortalPrincipal): string =>
  principal.kind === 'partner' ? principal.partnerId : principal.merchantId

/** Renders a page of the portal with its navigation, the owner's id and the sign-out button. */
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
    title: `${title} · ${session.brand?.name ?? PORTAL_BRAND}`,
    brand: session.brand?.name ?? PORTAL_BRAND,
    shown: session.brand,
    links: PAGES.filter((link) => isShownTo(session.principal, link)).map((link) => ({
      ...link,
      isCurrent: link.href === current,
    })),
    ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
    main: html`${main}
      <section class="signed-in" aria-label="Signed in">
        <p>
          Signed in as the ${session.principal.kind} <code>${nameOf(session.principal)}</code>
          ${session.principal.person !== undefined && `with the role ${session.principal.person.role}`}
        </p>
        ${portalForm(session, '/portal/sign-out', submit('Sign out', 'quiet'))}
      </section>`,
  })
