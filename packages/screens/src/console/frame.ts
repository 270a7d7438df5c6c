import type { StaffRole } from '@causeway/contracts'
import { form, html, page, statusTag, submit, type Html, type NavigationLink } from '../design/index.ts'
import type { Principal } from '@causeway/contracts'
import type { Session } from '../session.ts'
import { FORM_TOKEN } from '../session.ts'
import type { SessionRequest, UploadRequest } from '../screen.ts'

type Staff = Extract<Principal, { kind: 'staff' }>
export type StaffSession = Session<Staff>
export type StaffRequest = SessionRequest<Staff>
export type StaffUpload = UploadRequest<Staff>

/** Pages in the console's navigation. A page with `role` is shown only to that role. */
const PAGES = [
  { href: '/console', text: 'Work' },
  { href: '/console/partners', text: 'Partners' },
  { href: '/console/customers', text: 'Customers' },
  { href: '/console/merchants', text: 'Merchants' },
  { href: '/console/payments', text: 'Payments' },
  { href: '/console/figures', text: 'Figures' },
  { href: '/console/books', text: 'Books' },
  { href: '/console/agreements', text: 'Agreements' },
  { href: '/console/people', text: 'People', role: 'admin' },
  { href: '/console/sessions', text: 'Sessions' },
  { href: '/console/audit', text: 'Audit log' },
  { href: '/console/health', text: 'Health' },
] as const satisfies readonly (NavigationLink & Readonly<{ role?: StaffRole }>)[]
export type ConsolePath = (typeof PAGES)[number]['href']

type ConsolePage = Readonly<{
  session: StaffSession
  title: string
  /** Path of the page's entry in the navigation. */
  current: ConsolePath
  main: Html
  /** Names of additional scripts. */
  scripts?: readonly string[]
  /** Seconds after which a browser without JavaScript loads the page again. */
  refreshSeconds?: number
}>

/** Renders a form of the console with its form token. */
export const consoleForm = ({ formToken }: StaffSession, action: string, content: Html): Html =>
  form({ action, hidden: { [FORM_TOKEN]: formToken } }, content)

/** Renders a file form. Its token is in the query, so that it is checked before the file is read. */
export const consoleFileForm = ({ formToken }: StaffSession, action: string, content: Html): Html =>
  form({ action: `${action}?${FORM_TOKEN}=${formToken}`, hasFile: true }, content)

/** Renders a page of the console with its navigation, the signed-in user and the sign-out button. */
export const consolePage = ({ session, title, current, main, ...content }: ConsolePage): Html => {
  const { actor, role } = session.principal
  return page({
    title: `${title} · Causeway console`,
    brand: 'Causeway console',
    ...content,
    links: PAGES.filter((link) => !('role' in link) || link.role === role).map((link) => ({
      ...link,
      isCurrent: link.href === current,
    })),
    main: html`${main}
      <section class="signed-in" aria-label="Signed in">
        <p>Signed in as <code>${actor}</code> ${statusTag('neutral', role)}</p>
        ${consoleForm(session, '/console/sign-out', submit('Sign out', 'quiet'))}
      </section>`,
  })
}
