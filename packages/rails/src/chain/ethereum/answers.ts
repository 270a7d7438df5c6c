import { z } from 'zod'

/** A number of the protocol: hex without leading zeros (EIP-1474); some nodes write leading zeros all the same. */
export const Quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i)
export const Data = z.string().regex(/^0x([0-9a-f]{2})*$/i)
const dataOf = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, 'i'))
const Hash = dataOf(32)
const Address = dataOf(20)

/** Everything of a block that its hash covers (yellow paper, 4.4; EIPs 1559, 4895, 4844, 4788, 7685). */
const headerFields = {
  parentHash: Hash,
  sha3Uncles: Hash,
  miner: Address,
  stateRoot: Hash,
  transactionsRoot: Hash,
  receiptsRoot: Hash,
  logsBloom: dataOf(256),
  difficulty: Quantity,
  number: Quantity,
  gasLimit: Quantity,
  gasUsed: Quantity,
  timestamp: Quantity,
  extraData: Data,
  mixHash: Hash,
  nonce: dataOf(8),
  baseFeePerGas: Quantity.nullish(),
  withdrawalsRoot: Hash.nullish(),
  blobGasUsed: Quantity.nullish(),
  excessBlobGas: Quantity.nullish(),
  parentBeaconBlockRoot: Hash.nullish(),
  requestsHash: Hash.nullish(),
}

export const HeaderAnswer = z.object(headerFields)
export type HeaderAnswer = z.infer<typeof HeaderAnswer>

const AccessList = z.array(z.object({ address: Address, storageKeys: z.array(Hash) }))
const signature = { r: Quantity, s: Quantity }

/** Everything of a transaction that its hash covers, of all types up to 4; which of them it has depends on its type. */
export const TransactionAnswer = z.object({
  type: Quantity.optional(),
  /** As the endpoint reports it: the hash does not cover it. */
  from: Address.nullish(),
  chainId: Quantity.nullish(),
  nonce: Quantity,
  gas: Quantity,
  gasPrice: Quantity.nullish(),
  maxFeePerGas: Quantity.nullish(),
  maxPriorityFeePerGas: Quantity.nullish(),
  maxFeePerBlobGas: Quantity.nullish(),
  to: Address.nullish(),
  value: Quantity,
  input: Data,
  accessList: AccessList.nullish(),
  blobVersionedHashes: z.array(Hash).nullish(),
  authorizationList: z
    .array(
      z.object({ chainId: Quantity, address: Address, nonce: Quantity, yParity: Quantity, ...signature }),
    )
    .nullish(),
  v: Quantity.nullish(),
  yParity: Quantity.nullish(),
  ...signature,
})
export type TransactionAnswer = z.infer<typeof TransactionAnswer>

export const BlockAnswer = z.object({ ...headerFields, transactions: z.array(TransactionAnswer) })
export type BlockAnswer = z.infer<typeof BlockAnswer>

/** Everything of a receipt that the block's receipts root covers. */
export const ReceiptAnswer = z.object({
  type: Quantity.optional(),
  status: Quantity,
  cumulativeGasUsed: Quantity,
  logsBloom: dataOf(256),
  logs: z.array(z.object({ address: Address, topics: z.array(Hash).max(4), data: Data })),
})
export type ReceiptAnswer = z.infer<typeof ReceiptAnswer>
export type LogAnswer = ReceiptAnswer['logs'][number]
