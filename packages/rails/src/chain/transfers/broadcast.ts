import { RailError } from '../../rail-error.ts'
import type { Endpoints } from '../endpoints.ts'
import { TransferError } from './transfers.ts'

/** How one endpoint took what was sent to it: null when it has it. */
type Outcome = TransferError | RailError | null

/**
 * Sends to every endpoint at once; one that has it suffices, because nodes pass on what they take.
 * @throws TransferError when all that answered refuse it for good; RailError when one may still take it
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
