import type { OnrampStatus } from '@causeway/contracts'
import { RailError } from '../../rail-error.ts'

/**
 * Banxa's order statuses mapped to those of the specification. `complete` (documentation) and `completed` (answers) are
 * the same; `coinsTransferred` and `coinTransferred` are older names of `cryptoTransferred`; the SDK has a status for
 * each step of the transfer.
 */
export const BANXA_STATUSES: Readonly<Record<string, OnrampStatus>> = {
  pendingPayment: 'pendingPayment',
  waitingPayment: 'waitingPayment',
  paymentReceived: 'paymentReceived',
  extraVerification: 'extraVerification',
  inProgress: 'inProgress',
  coinTransferred: 'coinTransferred',
  coinsTransferred: 'coinTransferred',
  cryptoTransferred: 'cryptoTransferred',
  cryptoTransferInitiated: 'cryptoTransferred',
  cryptoTransferPending: 'cryptoTransferred',
  cryptoTransferComplete: 'cryptoTransferred',
  complete: 'complete',
  completed: 'completed',
  cancelled: 'cancelled',
  declined: 'declined',
  expired: 'expired',
  refunded: 'refunded',
}

const byName = new Map(Object.entries(BANXA_STATUSES).map(([name, status]) => [name.toLowerCase(), status]))

/**
 * Ignores case, in which Banxa's own pages differ.
 * @throws RailError `malformed` for an unknown status
 */
export const toOnrampStatus = (banxaStatus: string): OnrampStatus => {
  const status = byName.get(banxaStatus.toLowerCase())
  if (status === undefined)
    throw new RailError('malformed', `an unknown status: ${banxaStatus.replace(/\W/g, '?').slice(0, 40)}`)
  return status
}
