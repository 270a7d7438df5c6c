import type { Logger } from './log.ts'

/** How long a lease lasts that its holder renews: a replica that was killed is replaced after this time. */
export const LEASE_MS = 3_000
/** How often a lease is renewed, and how often others try to claim it. */
export const RENEW_EVERY_MS = 1_000

/**
 * Runs work under a lease that is renewed meanwhile, so that the lease can be shorter than the work. A renewal that fails
 * is logged and repeated: losing the lease is no fault, because what the work stores is stored by its holder alone.
 */
export const whileRenewing = async <T>(
  renew: () => Promise<unknown>,
  log: Logger,
  work: () => Promise<T>,
): Promise<T> => {
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch((error: unknown) => {
      log.warn(
        { event: 'lease.not_renewed', error },
        'A lease could not be renewed; the next attempt follows',
      )
    })
  }, RENEW_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
