import type { Response } from 'express'
import type { Payment } from '../rows.ts'

/** Redirects after a form was sent count as its action: the merchant's pages have to be named (CSP 3, form-action). */
const policyOf = (payment: Payment | null): string => {
  const urls = [payment?.returnUrl, payment?.failureUrl].filter((url) => typeof url === 'string')
  const origins = [...new Set(urls.map((url) => new URL(url).origin))]
  return [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    ["form-action 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Nothing is loaded from elsewhere, framed, kept or told to others. */
export const guard = (response: Response, payment: Payment | null): void =>
  void response.set({
    'content-security-policy': policyOf(payment),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
