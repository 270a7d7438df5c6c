import { Stripe } from 'stripe'
import { RailError, type RailFailure } from '../../rail-error.ts'

/**
 * Another request with the same idempotency key is in flight, or has locked the account: its outcome is unknown
 * (Stripe: error handling, 409 Conflict).
 */
const CONFLICT = 409

const failureOf = (error: Stripe.errors.StripeError): RailFailure => {
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'throttled'
  const status = error.statusCode ?? 0
  if (status === CONFLICT || status >= 500) return 'unavailable'
  return status >= 400 ? 'refused' : 'malformed'
}

/** Converts errors of the SDK. Only Stripe's code is kept: its message may quote the request. */
export const fromStripeError = (error: unknown): unknown => {
  if (error instanceof RailError || !(error instanceof Stripe.errors.StripeError)) return error
  if (error.detail instanceof RailError) return error.detail
  const said = error.code ?? error.rawType ?? error.type
  return new RailError(failureOf(error), `Stripe answered ${error.statusCode ?? 'badly'}: ${said}`)
}

/** Runs calls of the SDK. @throws RailError */
export const askStripe = async <T>(calls: () => Promise<T>): Promise<T> => {
  try {
    return await calls()
  } catch (error) {
    throw fromStripeError(error)
  }
}

/**
 * Runs reads that precede an effect: when they fail, nothing was done.
 * @throws RailError `refused` when Stripe refused, else `unreachable`
 */
export const askBeforeEffect = async <T>(calls: () => Promise<T>): Promise<T> => {
  try {
    return await askStripe(calls)
  } catch (error) {
    if (!(error instanceof RailError) || error.failure === 'refused') throw error
    throw new RailError('unreachable', `nothing was sent: ${error.message}`, { cause: error })
  }
}
