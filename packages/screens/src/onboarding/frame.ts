import type { ErrorCode } from '@causeway/contracts'
import { form, html, notice, page, type Html } from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { FORM_TOKEN } from '../session.ts'
import type { OnboardingRequest } from './request.ts'

/** @property scripts names of further scripts */
type Content = Readonly<{ title: string; main: Html; status?: number; scripts?: readonly string[] }>

/** Renders a page of the hosted onboarding, with the partner's brand. */
export const onboardingPage = (
  { link }: OnboardingRequest,
  { title, main, status = 200, scripts = [] }: Content,
): Answer => ({
  kind: 'page',
  status,
  html: page({
    title: `${title} · ${link.partnerName}`,
    brand: link.partnerName,
    shown: link.brand,
    width: 'narrow',
    links: [{ href: link.path, text: 'Overview' }],
    scripts: ['onboarding.js', ...scripts],
    main: html`<h1>${title}</h1>
      ${main}`,
  }),
})

type FormOptions = Readonly<{ hidden?: Readonly<Record<string, string>>; use?: string }>

/** Renders a form with its form token. @param path relative to the link's */
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

/** Renders a file form. Its token is in the query, so that it is checked before the file is read. */
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

/** Redirects to a page of the onboarding. @param path relative to the link's */
export const goTo = ({ link }: OnboardingRequest, path: string): Answer => ({
  kind: 'redirect',
  to: `${link.path}${path}`,
})

/** Renders the page for a link that is unknown, expired or revoked. */
export const endedLinkPage = (): Html =>
  page({
    title: 'This link is no longer valid',
    brand: 'Onboarding',
    width: 'narrow',
    main: html`<h1>This link is no longer valid</h1>
      ${notice(
        'warning',
        'Ask the platform that sent you the link for a new one.',
        'Links expire after some days, or when they are replaced. Your entries are saved, and a new link shows them again.',
      )}`,
  })

/** Answers a request for which an operation refused to read or write the page's data. */
export const refusedAnswer = (code: ErrorCode): Answer =>
  code === 'resource_not_found'
    ? { kind: 'page', status: 404, html: endedLinkPage() }
    : { kind: 'error', code }
