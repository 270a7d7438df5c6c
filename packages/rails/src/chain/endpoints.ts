import { RailError } from '../rail-error.ts'
import { createCircuit, type Circuit } from './circuit.ts'

/** One address at which a chain is read. */
type Endpoint = Readonly<{ name: string; close: () => Promise<void> }>

/** The response of one endpoint, or how it failed. */
export type Witness<E, T> = Readonly<{ endpoint: E; value: T }> | Readonly<{ endpoint: E; error: RailError }>

/** Several endpoints of one chain. One that keeps failing to answer is skipped for a growing pause (circuit.ts). */
export type Endpoints<E> = Readonly<{
  count: number
  /**
   * The first usable answer: the endpoint that answered last is asked first, and on a RailError the next one. Those that
   * are skipped are asked when all others have failed.
   * @throws RailError of the last one; a retryable one when there was any
   */
  first: <T>(read: (endpoint: E) => Promise<T>) => Promise<T>
  /**
   * Calls all endpoints concurrently; results are in their configured order. A skipped one counts as failed, unless fewer
   * than half would be left. Errors other than RailError are thrown.
   */
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
 * @throws Error that gives the position of an invalid address
 */
export const openAddresses = <E>(urls: readonly string[], open: (url: string) => E): readonly E[] =>
  urls.map((url, index) => {
    try {
      return open(url)
    } catch (error) {
      throw new Error(`address ${index + 1} ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  })

/** An endpoint with its circuit breaker. */
type Guarded<E> = Readonly<{ endpoint: E; circuit: Circuit }>

const ask = <E, T>({ endpoint, circuit }: Guarded<E>, read: (endpoint: E) => Promise<T>) =>
  witness(endpoint, () => circuit.ask(() => read(endpoint)))

const skipped = <E extends Endpoint, T>(endpoint: E): Witness<E, T> => ({
  endpoint,
  error: new RailError('unavailable', `${endpoint.name} is skipped for a while because it did not respond`),
})

/**
 * @param nowMs monotonic; for the pauses of endpoints that do not answer
 * @throws Error when the list is empty
 */
export const createEndpoints = <E extends Endpoint>(
  endpoints: readonly E[],
  nowMs: () => number = () => performance.now(),
): Endpoints<E> => {
  if (endpoints.length === 0) throw new Error('no address')
  const guarded = endpoints.map((endpoint): Guarded<E> => ({ endpoint, circuit: createCircuit(nowMs) }))
  let preferred = 0
  /** The one that answered last, then the others in their order; those that are skipped only when all others fail. */
  const inTurn = (): readonly Guarded<E>[] => {
    const turns = [...guarded.slice(preferred), ...guarded.slice(0, preferred)]
    const isOpen = new Set(turns.filter(({ circuit }) => circuit.isOpen()))
    return [...turns.filter((each) => !isOpen.has(each)), ...isOpen]
  }
  return {
    count: endpoints.length,
    first: async (read) => {
      let failure: RailError | null = null
      for (const each of inTurn()) {
        const answer = await ask(each, read)
        if ('value' in answer) {
          preferred = guarded.indexOf(each)
          return answer.value
        }
        if (failure === null || !failure.retryable || answer.error.retryable) failure = answer.error
      }
      throw failure ?? new RailError('unavailable', 'no endpoint')
    },
    all: (read) => {
      const open = new Set(guarded.filter(({ circuit }) => circuit.isOpen()))
      // Where those that are left would be fewer than half, they could decide nothing: everyone is asked.
      const isEnough = (guarded.length - open.size) * 2 >= guarded.length
      return Promise.all(
        guarded.map((each) =>
          isEnough && open.has(each) ? Promise.resolve(skipped<E, never>(each.endpoint)) : ask(each, read),
        ),
      )
    },
    close: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}
