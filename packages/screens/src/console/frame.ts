import type { StaffRole } from '@causeway/contracts'
import { form, html, page, statusTag, submit, type Html, type NavigationLink } from '../design/index.ts'
import type { Principal, Session } from '../session.ts'
import { FORM_TOKEN } from '../session.ts'
import type { SessionRequest } from '../screen.ts'

type Staff = Extract<Principal, { kind: 'staff' }>
export type StaffSession = Session<Staff>
export type StaffRequest = SessionRequest<Staff>

/** The pages of the console that its navigation leads to; one with a role only those who have it. */
const PAGES = [
  { href: '/console', text: 'Work' },
  { href: '/console/partners', text: 'Partners' },
  { href: '/console/merchants', text: 'Merchants' },
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
  /** The address in the navigation that this page belongs to. */
  current: ConsolePath
  main: Html
  /** Names of further scripts. */
  scripts?: readonly string[]
}>

/** A form of the console, with the proof that one of its pages sent it. */
export const consoleForm = ({ formToken }: StaffSession, action: string, content: Html): Html =>
  form({ action, hidden: { [FORM_TOKEN]: formToken } }, content)

/** A page of the console: its navigation, who is signed in, and the way out. */
export const consolePage = ({ session, title, current, main, scripts = [] }: ConsolePage): Html => {
  const { actor, role } = session.principal
  return page({
    title: `${title} · Causeway console`,
    brand: 'Causeway console',
    scripts,
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
