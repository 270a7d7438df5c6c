import type { Response } from 'express'
import type { Payment } from '../rows.ts'

/**
 * An origin whose characters all stand for themselves in a policy (CSP 3, source lists). The URL standard also allows `;`, `,`
 * and `*` in a host, which would end the directive, end the policy or match other hosts.
 */
const LITERAL_ORIGIN = /^https?:\/\/[\w.-]+(:\d+)?$/

/** Returns the origin of `url` as a policy can name it; null where it cannot, and for no URL. */
export function literalOriginOf(url: string | null | undefined): string | null {
  const origin = typeof url === 'string' ? new URL(url).origin : ''
  return LITERAL_ORIGIN.test(origin) ? origin : null
}

/** Browsers apply `form-action` to redirects too (CSP 3), so it lists the merchant's origins. */
const policyOf = (payment: Payment | null): string => {
  const named = [payment?.returnUrl, payment?.failureUrl].map(literalOriginOf)
  const origins = new Set(named.filter((origin) => origin !== null))
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
