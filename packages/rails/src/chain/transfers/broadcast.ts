import { RailError } from '../../rail-error.ts'
import type { Endpoints } from '../endpoints.ts'
import { TransferError } from './transfers.ts'

/** How one endpoint took what was sent to it: null when it has it. */
type Outcome = TransferError | RailError | null

/**
 * Sends to all endpoints concurrently. One that accepts is enough, because nodes relay what they accept.
 * @throws TransferError when all that responded refuse permanently; RailError when one may still accept it
 */
export const broadcastToAll = async <E>(
  endpoints: Endpoints<E>,
  send: (endpoint: E) => Promise<void>,
): Promise<void> => {
  const witnesses = await endpoints.all(async (endpoint): Promise<Outcome> => {
    try {
      await send(endpoint)
      return null
    } catch (error) {
      if (error instanceof TransferError) return error
      throw error
    }
  })
  const outcomes = witnesses.map((witness): Outcome => ('value' in witness ? witness.value : witness.error))
  if (outcomes.includes(null)) return
  const outage = outcomes.find((outcome) => outcome instanceof RailError)
  throw outage ?? outcomes[0] ?? new RailError('unavailable', 'no endpoint')
}
