import type { OnrampStatus } from '@causeway/contracts'
import { RailError } from '../../rail-error.ts'

/**
 * Banxa's order statuses in the words of the specification. Its pages say `complete`, orders are also read as
 * `completed`; `coinsTransferred` and `coinTransferred` are older names of `cryptoTransferred`, and its SDK names the
 * steps of the transfer one by one.
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
 * In any case of letters: Banxa's own pages differ in it.
 * @throws RailError `malformed` for an unknown status
 */
export const toOnrampStatus = (banxaStatus: string): OnrampStatus => {
  const status = byName.get(banxaStatus.toLowerCase())
  if (status === undefined)
    throw new RailError('malformed', `an unknown status: ${banxaStatus.replace(/\W/g, '?').slice(0, 40)}`)
  return status
}
