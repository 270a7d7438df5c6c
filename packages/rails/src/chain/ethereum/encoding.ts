import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { RailError } from '../../rail-error.ts'
import type { HeaderAnswer, ReceiptAnswer, TransactionAnswer } from './answers.ts'

type Field = Uint8Array | Field[]

export const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
/** Keccak-256 as 0x hex. */
export const hashOf = (bytes: Uint8Array): string => toHex(keccak_256(bytes))

const bytesOf = (data: string): Uint8Array => Buffer.from(data.slice(2), 'hex')
/** A number's bytes, without leading zeros. */
const integerOf = (quantity: string): Uint8Array => {
  const digits = quantity.slice(2).replace(/^0+/, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

/** A field that this kind of block or transaction must have. */
const required = <T>(value: T | null | undefined, name: string): T => {
  if (value === null || value === undefined) throw new RailError('unavailable', `the response lacks ${name}`)
  return value
}

/**
 * The hash of the block that has this header. Later forks have appended fields: one that is absent ends the list. A
 * header with a field that is not known here gets another hash than its block has, and is not believed.
 */
export const blockHashOf = (header: HeaderAnswer): string => {
  const appended: readonly [string | null | undefined, (text: string) => Uint8Array][] = [
    [header.baseFeePerGas, integerOf],
    [header.withdrawalsRoot, bytesOf],
    [header.blobGasUsed, integerOf],
    [header.excessBlobGas, integerOf],
    [header.parentBeaconBlockRoot, bytesOf],
    [header.requestsHash, bytesOf],
  ]
  const fields: Field[] = [
    bytesOf(header.parentHash),
    bytesOf(header.sha3Uncles),
    bytesOf(header.miner),
    bytesOf(header.stateRoot),
    bytesOf(header.transactionsRoot),
    bytesOf(header.receiptsRoot),
    bytesOf(header.logsBloom),
    integerOf(header.difficulty),
    integerOf(header.number),
    integerOf(header.gasLimit),
    integerOf(header.gasUsed),
    integerOf(header.timestamp),
    bytesOf(header.extraData),
    bytesOf(header.mixHash),
    bytesOf(header.nonce),
  ]
  for (const [value, encode] of appended) {
    if (value === null || value === undefined) break
    fields.push(encode(value))
  }
  return hashOf(RLP.encode(fields))
}

const accessListOf = (list: TransactionAnswer['accessList']): Field =>
  required(list, 'accessList').map(({ address, storageKeys }) => [bytesOf(address), storageKeys.map(bytesOf)])

/** EIP-2718: what is not a legacy transaction has its type before its fields. */
const typed = (type: number, fields: Field[]): Uint8Array => {
  const encoded = RLP.encode(fields)
  return type === 0 ? encoded : Buffer.concat([Uint8Array.of(type), encoded])
}

/** The type's own fields before `nonce`, its fees, and its own fields after the access list (EIPs 2930, 1559, 4844, 7702). */
const feesOf = (tx: TransactionAnswer, type: number): Field[] =>
  type < 2
    ? [integerOf(required(tx.gasPrice, 'gasPrice'))]
    : [
        integerOf(required(tx.maxPriorityFeePerGas, 'maxPriorityFeePerGas')),
        integerOf(required(tx.maxFeePerGas, 'maxFeePerGas')),
      ]
const extrasOf = (tx: TransactionAnswer, type: number): Field[] => {
  if (type === 3)
    return [
      integerOf(required(tx.maxFeePerBlobGas, 'maxFeePerBlobGas')),
      required(tx.blobVersionedHashes, 'blobVersionedHashes').map(bytesOf),
    ]
  if (type < 4) return []
  return [
    required(tx.authorizationList, 'authorizationList').map(({ chainId, address, nonce, yParity, r, s }) => [
      integerOf(chainId),
      bytesOf(address),
      integerOf(nonce),
      integerOf(yParity),
      integerOf(r),
      integerOf(s),
    ]),
  ]
}

const paymentOf = (tx: TransactionAnswer): Field[] => [
  integerOf(tx.gas),
  bytesOf(tx.to ?? '0x'),
  integerOf(tx.value),
  bytesOf(tx.input),
]

/** The fields of a transaction that has a type, but its signature. */
const unsignedFieldsOf = (tx: TransactionAnswer, type: number): Field[] => [
  integerOf(required(tx.chainId, 'chainId')),
  integerOf(tx.nonce),
  ...feesOf(tx, type),
  ...paymentOf(tx),
  accessListOf(tx.accessList),
  ...extrasOf(tx, type),
]

/** The newest type that is known: a block with a newer one cannot be verified. */
const NEWEST_TYPE = 4

/**
 * A transaction as its block has it: its Keccak-256 hash is its id.
 * @throws RailError for a type that is not known, and for a missing field
 */
export const encodeTransaction = (tx: TransactionAnswer): Uint8Array => {
  const type = Number(tx.type ?? '0x0')
  if (type > NEWEST_TYPE) throw new RailError('unavailable', `a transaction has the unknown type ${type}`)
  const signature = [integerOf(tx.r), integerOf(tx.s)]
  if (type === 0)
    return typed(0, [
      integerOf(tx.nonce),
      ...feesOf(tx, 0),
      ...paymentOf(tx),
      integerOf(required(tx.v, 'v')),
      ...signature,
    ])
  return typed(type, [
    ...unsignedFieldsOf(tx, type),
    integerOf(required(tx.yParity ?? tx.v, 'yParity')),
    ...signature,
  ])
}

/** Returns the signed bytes of a transaction, before they are hashed; null for a transaction without a type. */
export const encodeUnsigned = (tx: TransactionAnswer): Uint8Array | null => {
  const type = Number(tx.type ?? '0x0')
  return type === 0 ? null : typed(type, unsignedFieldsOf(tx, type))
}

/** A receipt as its block's receipts root covers it. */
export const encodeReceipt = (receipt: ReceiptAnswer): Uint8Array =>
  typed(Number(receipt.type ?? '0x0'), [
    integerOf(receipt.status),
    integerOf(receipt.cumulativeGasUsed),
    bytesOf(receipt.logsBloom),
    receipt.logs.map(({ address, topics, data }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
  ])
