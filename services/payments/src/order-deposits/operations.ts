import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { orderDeposits, type AddressTransfer } from '@causeway/contracts'
import { TREASURY_NETWORKS } from '@causeway/rails/networks'
import type { Signer } from '../clients/signer.ts'
import { followDeposit } from './rules.ts'
import { listOfMerchant, type FollowedDeposit } from './store.ts'

type Options = Readonly<{
  db: Pick<Db, 'pooled'>
  /** Null: staff move what addresses hold, and payments does not know what left. */
  signer: Signer | null
}>

/** Returns the transfers from the address of an order; null if they are not known now. */
const listTransfers = async (
  { signer }: Options,
  deposits: readonly FollowedDeposit[],
): Promise<readonly AddressTransfer[] | null> => {
  const [first] = deposits
  if (first === undefined || signer === null || !TREASURY_NETWORKS.has(first.network)) return null
  const answer = await signer.listOfAddress({
    network: first.network,
    key_index: first.keyIndex,
    coins: deposits.map(({ txId, outputIndex }) => ({ tx_id: txId, output_index: outputIndex })),
  })
  return answer.ok ? answer.value.transfers : null
}

/** `payments.order-deposits` (decisions §51). */
export const orderDepositOperations = (options: Options): Implementation[] =>
  implement(orderDeposits, {
    async listByMerchant({ caller: { merchantId }, params: { orderId } }) {
      const deposits = await listOfMerchant(options.db.pooled, { merchantId, orderId })
      const transfers = await listTransfers(options, deposits)
      return reply({ deposits: deposits.map((deposit) => followDeposit(deposit, transfers)) })
    },
  })
