import type { OnrampStatus } from '@causeway/contracts'

export type Treatment = 'open' | 'success' | 'failure'

/**
 * Meaning of each status of a provider (spec: Onramp order). `success` and `failure` are terminal. `complete` and
 * `completed` are two spellings of one state; `coinTransferred` and `cryptoTransferred` are two states treated alike.
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

/**
 * The stage of an order at each status. Orders may skip stages. Of two statuses with the same time, or without one, that
 * of the later stage is the newer.
 */
export const STAGE: Readonly<Record<OnrampStatus, number>> = {
  pendingPayment: 0,
  waitingPayment: 1,
  paymentReceived: 2,
  extraVerification: 3,
  inProgress: 4,
  coinTransferred: 5,
  cryptoTransferred: 5,
  complete: 6,
  completed: 6,
  cancelled: 6,
  declined: 6,
  expired: 6,
  refunded: 6,
}
