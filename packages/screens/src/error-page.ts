import type { ErrorCode } from '@causeway/contracts'
import { EMPTY, html, linkButton, notice, page, type Html } from './design/index.ts'

type ErrorText = readonly [title: string, advice: string]

const FAILED: ErrorText = [
  'Something went wrong here',
  'Load the page again. If it happens once more, tell the support team the number below.',
]

/** What people read where the API answers with an error; every other code is a failure of ours. */
const TEXTS: Readonly<Partial<Record<ErrorCode, ErrorText>>> = {
  resource_not_found: ['There is nothing here', 'Check the address, or go back to where you came from.'],
  rate_limited: ['Too many requests', 'Wait a moment, then load the page again.'],
  temporarily_unavailable: [
    'Not available right now',
    'Nothing was changed. Load the page again in a moment.',
  ],
  insufficient_scope: [
    'Your role does not allow this',
    'Nothing was changed, and the attempt is in the audit log. Ask an admin to do it, or for another role.',
  ],
  invalid_cursor: [
    'This page of the list is no longer there',
    'Go back to the list and start at its first page.',
  ],
  method_not_allowed: ['This cannot be done here', 'Go back and use the buttons of the page.'],
  payload_too_large: ['That was too large', 'Go back and send less at once.'],
}

/** The start of what the person was at, by the address that has the error; null where that is the start itself. */
const startOf = (path: string): string | null => {
  const [, area = '', id] = path.split('/')
  const start = area === 'console' || area === 'portal' ? `/${area}` : `/${area}/${id ?? ''}`
  return path.startsWith(`${start}/`) ? start : null
}

/**
 * The page that a person gets instead of a screen, with a way on.
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
      ${start === null ? EMPTY : html`<p class="actions">${linkButton(start, 'Back to the start', 'quiet')}</p>`}
      <p class="hint">Request <code>${requestId}</code></p>`,
  })
}

/** The page that a person gets whose form was not taken: another site sent it, or its page is from an earlier session. */
export const staleFormPage = (): Html =>
  page({
    title: 'This form is no longer valid',
    width: 'narrow',
    main: html`<h1>This form is no longer valid</h1>
      ${notice('bad', 'Nothing was changed.', 'Go back, load the page again, and send it once more.')}`,
  })
