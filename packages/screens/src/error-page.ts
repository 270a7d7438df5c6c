import type { ErrorCode } from '@causeway/contracts'
import { EMPTY, html, inLanguage, linkButton, notice, page, type Html } from './design/index.ts'
import { plainLanguage, type Language, type MessageId } from './languages/language.ts'
import type { LanguageTag, PageLanguage } from './languages/tags.ts'

/** Messages of error codes. Codes that are not listed are our own failures. Each has an advice. */
const MESSAGES = {
  resource_not_found: 'error.notFound',
  rate_limited: 'error.limited',
  temporarily_unavailable: 'error.unavailable',
  method_not_allowed: 'error.method',
  payload_too_large: 'error.tooLarge',
} as const satisfies Partial<Record<ErrorCode, MessageId>>

type ErrorText = readonly [title: string, advice: string]

/** Texts of codes that occur only on pages for staff and partners, which are in English. */
const TEXTS: Readonly<Partial<Record<ErrorCode, ErrorText>>> = {
  insufficient_scope: [
    'Your role does not allow this',
    'Nothing was changed. The audit log records the attempt. Ask an admin to do this, or to change your role.',
  ],
  invalid_cursor: ['This page of the list no longer exists', 'Go back to the first page of the list.'],
}

const textOf = (code: ErrorCode, { text }: Language): ErrorText => {
  const own = TEXTS[code]
  if (own !== undefined) return own
  const id = code in MESSAGES ? MESSAGES[code as keyof typeof MESSAGES] : 'error.failed'
  return [text(id), text(`${id}.advice`)]
}

/** Returns the start page of the area that a path belongs to, or null if the path is that start page. */
const startOf = (path: string): string | null => {
  const [, area = '', id] = path.split('/')
  const start = area === 'console' || area === 'portal' ? `/${area}` : `/${area}/${id ?? ''}`
  return path.startsWith(`${start}/`) ? start : null
}

/**
 * Renders the page that replaces a screen when a request fails. It has no language switch: its URL may be that of a form.
 * @param exchange the request's id, and its path without the query
 */
export const errorPage = (
  code: ErrorCode,
  { requestId, path }: Readonly<{ requestId: string; path: string }>,
  { tag, isInUrl }: PageLanguage,
): Html => {
  const language = plainLanguage(tag)
  const { text } = language
  const start = startOf(path)
  const startUrl = start !== null && isInUrl ? inLanguage(start, tag) : start
  const [title, advice] = textOf(code, language)
  return page({
    title,
    width: 'narrow',
    language,
    main: html`<h1>${title}</h1>
      ${notice('bad', advice)}
      ${startUrl === null ? EMPTY : html`<p class="actions">${linkButton(startUrl, text('error.start'), 'quiet')}</p>`}
      <p class="hint">${text('error.request')} <code dir="ltr">${requestId}</code></p>`,
  })
}

/** Renders the page for a rejected form token: another site posted the form, or its session has ended. */
export const staleFormPage = (tag: LanguageTag): Html => {
  const language = plainLanguage(tag)
  const { text } = language
  return page({
    title: text('error.staleForm'),
    width: 'narrow',
    language,
    main: html`<h1>${text('error.staleForm')}</h1>
      ${notice('bad', text('error.staleForm.what'), text('error.staleForm.advice'))}`,
  })
}
