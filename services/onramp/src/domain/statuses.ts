import type { OnrampStatus } from '@causeway/contracts'

export type Treatment = 'open' | 'success' | 'failure'

/**
 * What each status of a provider means (spec: Onramp order). `success` and `failure` are terminal. `complete` and
 * `completed` are one state in two spellings, `coinTransferred` and `cryptoTransferred` two states treated alike.
 */
export const TREATMENT: Readonly<Record<OnrampStatus, Treatment>> = {
  pendingPayment: 'open',
  waitingPayment: 'open',
  paymentReceived: 'open',
  extraVerification: 'open',
  inProgress: 'open',
  coinTransferred: 'open',
  cryptoTransferred: 'open',
  complete: 'success',
  completed: 'success',
  cancelled: 'failure',
  declined: 'failure',
  expired: 'failure',
  refunded: 'failure',
}
