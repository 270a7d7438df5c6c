import type { SignedTransfer, TransferProgress } from '../transfers.ts'
import type { BitcoinEndpoint } from '../../bitcoin/endpoint.ts'

/** An unspent output of a mined transaction, in satoshi. */
export type UnspentCoin = Readonly<{ txId: string; outputIndex: number; value: bigint; address: string }>

/** The state of a transfer according to an endpoint. The fee is that of the transfer where it is mined, else 0. */
export type Sighting =
  | Extract<TransferProgress, { state: 'unknown' | 'waiting' }>
  | Omit<Extract<TransferProgress, { state: 'mined' }>, 'networkFee'>
  | Omit<Extract<TransferProgress, { state: 'failed' }>, 'networkFee'>

/** An endpoint that transfers are made by: what the block reader asks, and what spending needs. */
export type SpendingEndpoint = BitcoinEndpoint &
  Readonly<{
    /** Satoshi for 1,000 virtual bytes that are mined within a few blocks; null while it cannot tell. */
    feeRate: (signal?: AbortSignal) => Promise<bigint | null>
    /** Those of these outputs that are mined and unspent. What waits to be mined does not count as spent. */
    lookUp: (
      coins: readonly Readonly<{ txId: string; outputIndex: number }>[],
      signal?: AbortSignal,
    ) => Promise<readonly UnspentCoin[]>
    /** Every unspent output of mined transactions at these addresses. */
    search: (addresses: readonly string[], signal?: AbortSignal) => Promise<readonly UnspentCoin[]>
    /**
     * Offers a transaction.
     * @throws TransferError `rejected` for one that can never be mined; RailError
     */
    send: (rawTransaction: string, signal?: AbortSignal) => Promise<void>
    sightingOf: (transfer: SignedTransfer, signal?: AbortSignal) => Promise<Sighting>
  }>

/** The network's fee is asked for being mined within this many blocks. */
export const TARGET_BLOCKS = 3

/** `txId:index` of a transfer's `spends`. */
export const outpointOf = ({ txId, outputIndex }: Readonly<{ txId: string; outputIndex: number }>): string =>
  `${txId}:${outputIndex}`

export const parseOutpoint = (outpoint: string): Readonly<{ txId: string; outputIndex: number }> => {
  const [txId = '', index] = outpoint.split(':')
  return { txId, outputIndex: Number(index) }
}
