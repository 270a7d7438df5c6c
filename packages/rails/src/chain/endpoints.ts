import { RailError } from '../rail-error.ts'

/** One address at which a chain is read. */
type Endpoint = Readonly<{ close: () => Promise<void> }>

/** What one endpoint answered, or how it failed. */
export type Witness<E, T> = Readonly<{ endpoint: E; value: T }> | Readonly<{ endpoint: E; error: RailError }>

/** Several endpoints of one chain. */
export type Endpoints<E> = Readonly<{
  count: number
  /**
   * The first usable answer: the endpoint that answered last is asked first, and on a RailError the next one.
   * @throws RailError of the last one; a retryable one when there was any
   */
  first: <T>(read: (endpoint: E) => Promise<T>) => Promise<T>
  /** Asks all at once, in their configured order. What is no RailError is thrown. */
  all: <T>(read: (endpoint: E) => Promise<T>) => Promise<readonly Witness<E, T>[]>
  close: () => Promise<void>
}>

const witness = async <E, T>(endpoint: E, read: (endpoint: E) => Promise<T>): Promise<Witness<E, T>> => {
  try {
    return { endpoint, value: await read(endpoint) }
  } catch (error) {
    if (error instanceof RailError) return { endpoint, error }
    throw error
  }
}

/**
 * Opens each address.
 * @throws Error that counts the address which is none
 */
export const openAddresses = <E>(urls: readonly string[], open: (url: string) => E): readonly E[] =>
  urls.map((url, index) => {
    try {
      return open(url)
    } catch (error) {
      throw new Error(`address ${index + 1} ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  })

/** @throws Error when there is none */
export const createEndpoints = <E extends Endpoint>(endpoints: readonly E[]): Endpoints<E> => {
  if (endpoints.length === 0) throw new Error('no address')
  let preferred = 0
  return {
    count: endpoints.length,
    first: async (read) => {
      let failure: RailError | null = null
      const start = preferred
      for (const turn of endpoints.keys()) {
        const index = (start + turn) % endpoints.length
        const endpoint = endpoints[index]
        if (!endpoint) continue
        const answer = await witness(endpoint, read)
        if ('value' in answer) {
          preferred = index
          return answer.value
        }
        if (failure === null || !failure.retryable || answer.error.retryable) failure = answer.error
      }
      throw failure ?? new RailError('unavailable', 'no endpoint')
    },
    all: (read) => Promise.all(endpoints.map((endpoint) => witness(endpoint, read))),
    close: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}
