import { NotDoneError, type ServiceClient } from '@causeway/chassis'
import { paidAddresses, type Asset, type Network } from '@causeway/contracts'

/** Numbers of addresses that may be swept, and the start of the next page; null at the end. */
export type PaidAddresses = Readonly<{ keyIndexes: readonly number[]; next: string | null }>

/** `payments.paid-addresses`, over the bus. */
export type Payments = Readonly<{
  /** @throws NotDoneError when payments could not be reached */
  listPaid: (network: Network, asset: Asset, after: string | null, before: Date) => Promise<PaidAddresses>
}>

/** @param ask asks over the bus */
export const createPayments = (ask: ServiceClient): Payments => ({
  async listPaid(network, asset, after, before) {
    const answer = await ask(paidAddresses.list, {
      network,
      asset,
      after,
      created_before: before.toISOString(),
    })
    if (!answer.ok) throw new NotDoneError(`Payments returned ${answer.code}`)
    return { keyIndexes: answer.value.key_indexes, next: answer.value.next }
  },
})
