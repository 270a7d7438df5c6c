import type { Response } from 'express'
import type { Payment } from '../rows.ts'

/** Browsers apply `form-action` to redirects too (CSP 3), so it lists the merchant's origins. */
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

/** Forbids foreign resources, framing, caching and the Referer header. */
export const setSecurityHeaders = (response: Response, payment: Payment | null): void =>
  void response.set({
    'content-security-policy': policyOf(payment),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
