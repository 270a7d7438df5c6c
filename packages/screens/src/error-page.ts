import type { ErrorCode } from '@causeway/contracts'
import { EMPTY, html, linkButton, notice, page, type Html } from './design/index.ts'

type ErrorText = readonly [title: string, advice: string]

const FAILED: ErrorText = [
  'Something went wrong',
  'Load the page again. If the error persists, give the request number below to the support team.',
]

/** Title and advice for each error code. Codes that are not listed are our own failures and use `FAILED`. */
const TEXTS: Readonly<Partial<Record<ErrorCode, ErrorText>>> = {
  resource_not_found: ['Page not found', 'Check the address, or go back to the previous page.'],
  rate_limited: ['Too many requests', 'Wait a moment, then load the page again.'],
  temporarily_unavailable: [
    'Temporarily unavailable',
    'Nothing was changed. Load the page again in a moment.',
  ],
  insufficient_scope: [
    'Your role does not allow this',
    'Nothing was changed. The audit log records the attempt. Ask an admin to do this, or to change your role.',
  ],
  invalid_cursor: ['This page of the list no longer exists', 'Go back to the first page of the list.'],
  method_not_allowed: ['This action is not supported here', 'Go back and use the buttons on the page.'],
  payload_too_large: ['The request is too large', 'Go back and send less data in one request.'],
}

/** Returns the start page of the area that a path belongs to, or null if the path is that start page. */
const startOf = (path: string): string | null => {
  const [, area = '', id] = path.split('/')
  const start = area === 'console' || area === 'portal' ? `/${area}` : `/${area}/${id ?? ''}`
  return path.startsWith(`${start}/`) ? start : null
}

/**
 * Renders the page that replaces a screen when a request fails.
 * @param exchange the request's id, and its path without the query
 */
export const errorPage = (
  code: ErrorCode,
  { requestId, path }: Readonly<{ requestId: string; path: string }>,
): Html => {
  const start = startOf(path)
  const [title, advice] = TEXTS[code] ?? FAILED
  return page({
    title,
    width: 'narrow',
    main: html`<h1>${title}</h1>
      ${notice('bad', advice)}
      ${start === null ? EMPTY : html`<p class="actions">${linkButton(start, 'Back to the start page', 'quiet')}</p>`}
      <p class="hint">Request <code>${requestId}</code></p>`,
  })
}

/** Renders the page for a rejected form token: another site posted the form, or its session has ended. */
export const staleFormPage = (): Html =>
  page({
    title: 'This form is no longer valid',
    width: 'narrow',
    main: html`<h1>This form is no longer valid</h1>
      ${notice('bad', 'Nothing was changed.', 'Go back, load the page again, and submit the form again.')}`,
  })
