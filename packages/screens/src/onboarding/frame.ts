import type { ErrorCode } from '@causeway/contracts'
import { form, html, notice, page, type Html } from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { FORM_TOKEN } from '../session.ts'
import type { OnboardingRequest } from './request.ts'

/** @property scripts names of further scripts */
type Content = Readonly<{ title: string; main: Html; status?: number; scripts?: readonly string[] }>

/** A page of the hosted onboarding, under the name of the partner who sent the link. */
export const onboardingPage = (
  { link }: OnboardingRequest,
  { title, main, status = 200, scripts = [] }: Content,
): Answer => ({
  kind: 'page',
  status,
  html: page({
    title: `${title} · ${link.partnerName}`,
    brand: link.partnerName,
    width: 'narrow',
    links: [{ href: link.path, text: 'Overview' }],
    scripts: ['onboarding.js', ...scripts],
    main: html`<h1>${title}</h1>
      ${main}`,
  }),
})

type FormOptions = Readonly<{ hidden?: Readonly<Record<string, string>>; use?: string }>

/** A form of a page, with the token that says so. @param path below the link's */
export const postForm = (
  { link, formToken }: OnboardingRequest,
  path: string,
  content: Html,
  { hidden = {}, use }: FormOptions = {},
): Html =>
  form(
    {
      action: `${link.path}${path}`,
      hidden: { [FORM_TOKEN]: formToken, ...hidden },
      ...(use !== undefined && { use }),
    },
    content,
  )

/** A form with a file: its token is in its address, so that it is checked before a byte of the file is read. */
export const fileForm = (
  { link, formToken }: OnboardingRequest,
  path: string,
  content: Html,
  documentType: string,
): Html =>
  form(
    {
      action: `${link.path}${path}?${FORM_TOKEN}=${formToken}`,
      hidden: { document_type: documentType },
      hasFile: true,
      use: 'upload',
    },
    content,
  )

/** Shows the result of a form on a page of its own. @param path below the link's */
export const goTo = ({ link }: OnboardingRequest, path: string): Answer => ({
  kind: 'redirect',
  to: `${link.path}${path}`,
})

/** The page of a link that opens nothing: it never was one, or it has expired or was ended. */
export const endedLinkPage = (): Html =>
  page({
    title: 'This link has ended',
    brand: 'Onboarding',
    width: 'narrow',
    main: html`<h1>This link has ended</h1>
      ${notice(
        'warning',
        'Ask whoever sent you the link for a new one.',
        'Links end after some days, or when they are replaced. What you have entered is kept: a new link shows it again.',
      )}`,
  })

/** The answer where an operation has refused what the page needs. */
export const refusedAnswer = (code: ErrorCode): Answer =>
  code === 'resource_not_found'
    ? { kind: 'page', status: 404, html: endedLinkPage() }
    : { kind: 'error', code }
