import { RailError } from '../rail-error.ts'
import type { Endpoints, Witness } from './endpoints.ts'

/** An endpoint that contradicts the settings; the message names the setting and the endpoint. */
export class SettingError extends RailError {
  constructor(message: string) {
    super('refused', message)
  }
}

/** Endpoints of which none is believed before it has passed a check. */
export type CheckedEndpoints<E> = Endpoints<E> &
  Readonly<{
    /**
     * Checks all of them now.
     * @param also an additional check of each endpoint, this time only; throws as the check does
     * @throws Error that names the setting, which is no outage, when one contradicts it
     */
    verify: (also?: (endpoint: E) => Promise<void>) => Promise<readonly Witness<E, void>[]>
  }>

/**
 * Has each endpoint pass a check before its first answer counts, however long it was away: one that was down at the start
 * may turn out to be on another chain, whose blocks, coins and nonces mean nothing here. Until it passes it is one that
 * does not answer.
 * @param check throws {@link SettingError} for one that is not what the settings say, RailError without an answer
 */
export const checkEndpoints = <E extends object>(
  endpoints: Endpoints<E>,
  check: (endpoint: E) => Promise<void>,
): CheckedEndpoints<E> => {
  const checks = new WeakMap<E, Promise<void>>()
  const checkOnce = (endpoint: E): Promise<void> => {
    const known = checks.get(endpoint)
    if (known !== undefined) return known
    const begun = check(endpoint)
    checks.set(endpoint, begun)
    begun.catch(() => checks.delete(endpoint))
    return begun
  }
  const checked =
    <T>(read: (endpoint: E) => Promise<T>) =>
    async (endpoint: E): Promise<T> => {
      await checkOnce(endpoint)
      return read(endpoint)
    }
  return {
    ...endpoints,
    first: (read) => endpoints.first(checked(read)),
    all: (read) => endpoints.all(checked(read)),
    verify: async (also = () => Promise.resolve()) => {
      const witnesses = await endpoints.all(checked(also))
      for (const witness of witnesses)
        if ('error' in witness && witness.error instanceof SettingError)
          throw new Error(witness.error.message)
      return witnesses
    },
  }
}
