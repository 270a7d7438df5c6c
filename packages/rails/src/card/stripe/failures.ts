import { Stripe } from 'stripe'
import { RailError, type RailFailure } from '../../rail-error.ts'

/**
 * Another request with the same idempotency key is under way, or the account is locked by one: what that one does
 * is unknown (Stripe: error handling, 409 Conflict).
 */
const CONFLICT = 409

const failureOf = (error: Stripe.errors.StripeError): RailFailure => {
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'throttled'
  const status = error.statusCode ?? 0
  if (status === CONFLICT || status >= 500) return 'unavailable'
  return status >= 400 ? 'refused' : 'malformed'
}

/** The SDK's errors as the platform's. Stripe's own message may quote what was sent: its code says enough. */
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
 * Runs what only reads before an effect: its failure has done nothing, whatever it was.
 * @throws RailError `refused` when Stripe said no, else `unreachable`
 */
export const askBeforeEffect = async <T>(calls: () => Promise<T>): Promise<T> => {
  try {
    return await askStripe(calls)
  } catch (error) {
    if (!(error instanceof RailError) || error.failure === 'refused') throw error
    throw new RailError('unreachable', `nothing was sent: ${error.message}`, { cause: error })
  }
}
