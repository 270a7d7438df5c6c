import { base58 } from '@scure/base'
import { RailError } from '../../rail-error.ts'
import type { Transfer } from '../block-source.ts'
import { fromUnits } from '../units.ts'
import type { Instruction, Transaction } from './answers.ts'
import { isArrival, tokensOf, unexplainedOf } from './unreferenced.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** SystemInstruction::Transfer: its number and the lamports, little-endian. */
const TRANSFER = 2
const TRANSFER_BYTES = 12
/** Characters of 12 bytes in base58, whose decoding takes the square of the length. */
const LONGEST_TRANSFER = 17
const DECIMALS = 9
/** Transfers without a reference are numbered from here, so that they leave the numbers of the others as they are. */
const FIRST_UNREFERENCED = 1_000_000

/** Every instruction in the order in which it was carried out: those that a program called stand behind its own. */
const instructionsOf = ({ transaction, meta }: Transaction): readonly Instruction[] =>
  transaction.message.instructions.flatMap((instruction, index) => [
    instruction,
    ...(meta.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap((inner) => inner.instructions),
  ])

const lamportsOf = (data: string): bigint => {
  if (data.length > LONGEST_TRANSFER) return 0n
  const bytes = Buffer.from(base58.decode(data))
  return bytes.length === TRANSFER_BYTES && bytes.readUInt32LE(0) === TRANSFER ? bytes.readBigUInt64LE(4) : 0n
}

/** A system transfer to the account; `reference` is null where it names none. */
type Arrival = Readonly<{ sender: string; reference: string | null; lamports: bigint }>

/** A transfer's own accounts are the sender and the receiver; a reference is the next. */
const arrivalsOf = (transaction: Transaction, keys: readonly string[], account: string): Arrival[] => {
  const keyAt = (index: number): string => {
    const key = keys[index]
    if (key === undefined)
      throw new RailError('unavailable', `a transaction refers to account ${index} of ${keys.length}`)
    return key
  }
  return instructionsOf(transaction).flatMap(({ programIdIndex, accounts, data }) => {
    const [sender, receiver, reference] = accounts
    if (sender === undefined || receiver === undefined) return []
    if (keyAt(programIdIndex) !== SYSTEM_PROGRAM || keyAt(receiver) !== account) return []
    const lamports = lamportsOf(data)
    if (lamports === 0n) return []
    return [{ sender: keyAt(sender), reference: reference === undefined ? null : keyAt(reference), lamports }]
  })
}

/**
 * Returns the transfers of a transaction to the account that receives all orders' payments. System transfers are numbered in
 * their order, those with a reference first: Solana Pay appends references to the transfer's accounts. Only the first
 * reference identifies an order, so that one transfer with several references pays one order. Other gains of the account,
 * including tokens, follow with separate numbers.
 * @throws RailError for invalid positions of accounts
 */
export const transfersOf = (transaction: Transaction, account: string): readonly Transfer[] => {
  const { meta } = transaction
  if (meta.err !== null) return []
  const { signatures, message } = transaction.transaction
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const keys = [...message.accountKeys, ...writable, ...readonly]
  const txId = signatures[0] ?? ''
  const arrivals = arrivalsOf(transaction, keys, account)
  const present = ({ sender, reference, lamports }: Arrival, outputIndex: number): Transfer => ({
    asset: 'SOL',
    address: reference ?? account,
    txId,
    outputIndex,
    amount: fromUnits(lamports, DECIMALS),
    ...(sender !== account && { shared: { address: account, sender } }),
  })
  const referenced = arrivals.filter(({ reference }) => reference !== null)
  const unreferenced = arrivals.filter(({ reference, sender }) => reference === null && sender !== account)
  const listed = arrivals.reduce((sum, { lamports }) => sum + lamports, 0n)
  const others = [...unexplainedOf(meta, keys.indexOf(account), listed), ...tokensOf(meta, account)]
  return [
    ...referenced.map(present),
    ...unreferenced.map((each, at) => present(each, FIRST_UNREFERENCED + at)),
    ...others.filter(isArrival).map(({ units, decimals, ...each }) => ({
      ...each,
      address: account,
      txId,
      amount: fromUnits(units, decimals),
      shared: { address: account, sender: null },
    })),
  ]
}
