import type { Network } from '@causeway/contracts'
import { TransferError, type Transfers } from './transfers.ts'

/** The transfers of a network that has none: everything but an address is refused, and the message says why. */
export const createNoTransfers = (
  network: Network,
  addressOf: (index: number) => string,
  reason: string,
): Transfers => {
  const refuse = () => Promise.reject(new TransferError('unsupported', `${network}: ${reason}`))
  return {
    network,
    canSend: false,
    gasAddress: null,
    addressOf,
    verify: () => Promise.resolve(),
    sign: refuse,
    estimate: refuse,
    signSweep: refuse,
    height: refuse,
    signReplacement: refuse,
    broadcast: refuse,
    progressOf: refuse,
    confirmationsOf: refuse,
    balanceOf: refuse,
    close: () => Promise.resolve(),
  }
}
