import type { ErrorCode } from '@causeway/contracts'
import { form, html, inLanguage, notice, page, type Html } from '../design/index.ts'
import { plainLanguage } from '../languages/language.ts'
import type { LanguageTag } from '../languages/tags.ts'
import type { Answer } from '../screen.ts'
import { FORM_TOKEN } from '../session.ts'
import type { OnboardingRequest } from './request.ts'

/** @property scripts names of further scripts */
type Content = Readonly<{ title: string; main: Html; status?: number; scripts?: readonly string[] }>

/** Returns the URL of a page, with the language if the person has chosen it. @param path relative to the link's */
export const urlOf = (
  { link, language, isLanguageInUrl }: Pick<OnboardingRequest, 'link' | 'language' | 'isLanguageInUrl'>,
  path: string,
): string => (isLanguageInUrl ? inLanguage(link.path + path, language.tag) : link.path + path)

/** Renders a page of the hosted onboarding, with the partner's brand. */
export const onboardingPage = (
  request: OnboardingRequest,
  { title, main, status = 200, scripts = [] }: Content,
): Answer => {
  const { link, language, pagePath } = request
  return {
    kind: 'page',
    status,
    html: page({
      title: `${title} · ${link.partnerName}`,
      brand: link.partnerName,
      shown: link.brand,
      width: 'narrow',
      links: [{ href: urlOf(request, ''), text: language.text('start.overview') }],
      language,
      url: pagePath,
      scripts: ['onboarding.js', ...scripts],
      main: html`<h1>${title}</h1>
        ${main}`,
    }),
  }
}

type FormOptions = Readonly<{ hidden?: Readonly<Record<string, string>>; use?: string }>

/** Renders a form with its form token. @param path relative to the link's */
export const postForm = (
  request: OnboardingRequest,
  path: string,
  content: Html,
  { hidden = {}, use }: FormOptions = {},
): Html =>
  form(
    {
      action: urlOf(request, path),
      hidden: { [FORM_TOKEN]: request.formToken, ...hidden },
      ...(use !== undefined && { use }),
    },
    content,
  )

/** Renders a file form. Its token is in the query, so that it is checked before the file is read. */
export const fileForm = (
  request: OnboardingRequest,
  path: string,
  content: Html,
  documentType: string,
): Html =>
  form(
    {
      action: urlOf(request, `${path}?${FORM_TOKEN}=${request.formToken}`),
      hidden: { document_type: documentType },
      hasFile: true,
      use: 'upload',
    },
    content,
  )

/** Redirects to a page of the onboarding. @param path relative to the link's */
export const goTo = (request: OnboardingRequest, path: string): Answer => ({
  kind: 'redirect',
  to: urlOf(request, path),
})

/** Renders the page for a link that is unknown, expired or revoked. @param url of the page */
export const endedLinkPage = (tag: LanguageTag, url: string): Html => {
  const language = plainLanguage(tag)
  const { text } = language
  return page({
    title: text('start.ended'),
    brand: text('start.brand'),
    width: 'narrow',
    language,
    url,
    main: html`<h1>${text('start.ended')}</h1>
      ${notice('warning', text('start.ended.what'), text('start.ended.advice'))}`,
  })
}

/** Answers a request for which an operation refused to read or write the page's data. */
export const refusedAnswer = (code: ErrorCode, { language, pagePath }: Shown): Answer =>
  code === 'resource_not_found'
    ? { kind: 'page', status: 404, html: endedLinkPage(language.tag, pagePath) }
    : { kind: 'error', code }
type Shown = Pick<OnboardingRequest, 'language' | 'pagePath'>
