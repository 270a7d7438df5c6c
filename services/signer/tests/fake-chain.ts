import type { Network } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { fromUnits, toUnits } from '@causeway/rails/networks'
import {
  type TransferError,
  type SignedTransfer,
  type TransferProgress,
  type Transfers,
} from '@causeway/rails/transfers'

const DECIMALS = 18
const FEE = '0.001'

/** Creates a chain in memory, with balances, signed and sent transfers, and failures that a test injects. */
export const createFakeChain = (network: Network = 'ETH') => {
  const balances = new Map<number, string>()
  const signed: SignedTransfer[] = []
  const sent: SignedTransfer[] = []
  let progress: (txId: string) => TransferProgress = () => ({ state: 'waiting' })
  let refusal: TransferError | null = null
  let rejection: TransferError | null = null
  let outage: RailError | null = null
  let height = 1
  let replacementRefusal: TransferError | null = null
  let tamper = (transfer: SignedTransfer) => transfer
  const throwIfUnavailable = () => {
    if (outage !== null) throw outage
  }
  const transfers: Transfers = {
    network,
    canSend: true,
    gasAddress: null,
    addressOf: (index) => `address-${index}`,
    verify: () => Promise.resolve(),
    async sign({ fromIndex, asset, toAddress, amount }, outstanding) {
      throwIfUnavailable()
      if (refusal !== null) throw refusal
      const txId = `tx-${signed.length + 1}`
      const transfer: SignedTransfer = {
        network,
        asset,
        sources: [{ index: fromIndex, address: `address-${fromIndex}`, amount }],
        toAddress,
        amount: fromUnits(toUnits(amount, DECIMALS) - toUnits(FEE, DECIMALS), DECIMALS),
        networkFee: FEE,
        feeAsset: asset,
        txId,
        rawTransactions: [`raw of ${txId} after ${outstanding.length}`],
        spends: [`address-${fromIndex}/0`],
        signedAt: 1,
      }
      const made = tamper(transfer)
      signed.push(made)
      return Promise.resolve(made)
    },
    async estimate({ asset, amount }) {
      throwIfUnavailable()
      if (refusal !== null) throw refusal
      const arrives = fromUnits(toUnits(amount, DECIMALS) - toUnits(FEE, DECIMALS), DECIMALS)
      return Promise.resolve({ amount: arrives, networkFee: FEE, feeAsset: asset })
    },
    signSweep: () => Promise.resolve(null),
    height: () => Promise.resolve(height),
    /** Raises the fee by one half. */
    async signReplacement(previous) {
      throwIfUnavailable()
      if (replacementRefusal !== null) throw replacementRefusal
      const fee = toUnits(previous.networkFee, DECIMALS)
      const isOwnFee = previous.feeAsset === previous.asset
      const txId = `tx-${signed.length + 1}`
      const made = tamper({
        ...previous,
        amount: isOwnFee
          ? fromUnits(toUnits(previous.amount, DECIMALS) - fee / 2n, DECIMALS)
          : previous.amount,
        networkFee: fromUnits((fee * 3n) / 2n, DECIMALS),
        txId,
        rawTransactions: [`raw of ${txId}`],
        replacedAt: height,
      })
      signed.push(made)
      return Promise.resolve(made)
    },
    async broadcast(transfer) {
      throwIfUnavailable()
      if (rejection !== null) throw rejection
      if (!sent.some(({ txId }) => txId === transfer.txId)) sent.push(transfer)
      return Promise.resolve()
    },
    async progressOf({ txId }) {
      throwIfUnavailable()
      return Promise.resolve(progress(txId))
    },
    confirmationsOf: () => Promise.resolve(null),
    balanceOf: (index) => Promise.resolve(balances.get(index) ?? '0'),
    close: () => Promise.resolve(),
  }
  return {
    transfers,
    signed,
    sent,
    /** Sets the balance of an address on the chain. */
    setBalance: (index: number, amount: string) => balances.set(index, amount),
    setProgress: (next: TransferProgress) => {
      progress = () => next
    },
    /** Sets the progress of each transaction. */
    setProgressOf: (next: (txId: string) => TransferProgress) => {
      progress = next
    },
    mine: (blocks: number) => {
      height += blocks
    },
    refuseReplacements: (next: TransferError | null) => {
      replacementRefusal = next
    },
    refuse: (next: TransferError | null) => {
      refusal = next
    },
    /** Makes every node refuse signed transactions. */
    reject: (next: TransferError | null) => {
      rejection = next
    },
    /** Makes the chain unavailable, or available again. */
    setUnavailable: (isUnavailable: boolean) => {
      outage = isUnavailable ? new RailError('unreachable', 'no endpoint answers') : null
    },
    /** Changes signed transfers, so that they differ from the request. */
    tamper: (change: (transfer: SignedTransfer) => SignedTransfer) => {
      tamper = change
    },
  }
}
