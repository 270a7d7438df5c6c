import { RailError } from '../../rail-error.ts'
import { createJsonRpcEndpoint, type EndpointOptions, type JsonRpcEndpoint } from './endpoint.ts'

/** What one endpoint answered, or how it failed. */
export type Witness<T> =
  | Readonly<{ endpoint: JsonRpcEndpoint; value: T }>
  | Readonly<{ endpoint: JsonRpcEndpoint; error: RailError }>

type Read<T> = (endpoint: JsonRpcEndpoint) => Promise<T>

/** Several endpoints of one chain. */
export type JsonRpcEndpoints = Readonly<{
  count: number
  /**
   * The first usable answer: the endpoint that answered last is asked first, and on a RailError the next one.
   * @throws RailError of the last one; a retryable one when there was any
   */
  first: <T>(read: Read<T>) => Promise<T>
  /** Asks all at once, in their configured order. What is no RailError is thrown. */
  all: <T>(read: Read<T>) => Promise<readonly Witness<T>[]>
  close: () => Promise<void>
}>

const witness = async <T>(endpoint: JsonRpcEndpoint, read: Read<T>): Promise<Witness<T>> => {
  try {
    return { endpoint, value: await read(endpoint) }
  } catch (error) {
    if (error instanceof RailError) return { endpoint, error }
    throw error
  }
}

/** @throws Error that counts the address which is none */
export const createJsonRpcEndpoints = (
  urls: readonly string[],
  options: EndpointOptions,
): JsonRpcEndpoints => {
  const endpoints = urls.map((url, index) => {
    try {
      return createJsonRpcEndpoint(url, options)
    } catch (error) {
      throw new Error(`address ${index + 1} ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  })
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
