/** Sources of exchange rates. */
export { createFixedRateSource } from './rates/fixed.ts'
export { createHttpRateSource } from './rates/http.ts'
export { createPublicRateSource, PUBLIC_RATE_SOURCES, type PublicRateSourceName } from './rates/public.ts'
export type { Rate, RateSource } from './rates/source.ts'
