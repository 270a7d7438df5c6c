import { base58 } from '@scure/base'
import { RailError } from '../../rail-error.ts'
import type { Transfer } from '../block-source.ts'
import { fromUnits } from '../units.ts'
import type { Instruction, Transaction } from './answers.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** SystemInstruction::Transfer: its number and the lamports, little-endian. */
const TRANSFER = 2
const TRANSFER_BYTES = 12
/** Characters of 12 bytes in base58, whose decoding takes the square of the length. */
const LONGEST_TRANSFER = 17
const DECIMALS = 9

/** A transfer's own accounts are the sender and the receiver; a reference is the next. */
const RECEIVER = 1
const REFERENCE = 2

/** Every instruction in the order in which it was carried out: those that a program called stand behind its own. */
const instructionsOf = ({ transaction, meta }: Transaction): readonly Instruction[] =>
  transaction.message.instructions.flatMap((instruction, index) => [
    instruction,
    ...(meta.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap((inner) => inner.instructions),
  ])

const lamportsOf = (data: string): bigint | null => {
  if (data.length > LONGEST_TRANSFER) return null
  const bytes = Buffer.from(base58.decode(data))
  return bytes.length === TRANSFER_BYTES && bytes.readUInt32LE(0) === TRANSFER
    ? bytes.readBigUInt64LE(4)
    : null
}

/**
 * What a transaction brings to orders that are paid at this account: system transfers to it that name a reference. Solana
 * Pay appends the references to the transfer's own accounts; the first is the order's, and no other: one transfer
 * that names several pays one order, not each of them.
 * @throws RailError for positions of accounts that are none
 */
export const transfersOf = (transaction: Transaction, account: string): readonly Transfer[] => {
  const { meta } = transaction
  if (meta.err !== null) return []
  const { signatures, message } = transaction.transaction
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const keys = [...message.accountKeys, ...writable, ...readonly]
  const keyAt = (index: number): string => {
    const key = keys[index]
    if (key === undefined)
      throw new RailError('unavailable', `a transaction names the account ${index} of ${keys.length}`)
    return key
  }
  const transfers: Transfer[] = []
  for (const { programIdIndex, accounts, data } of instructionsOf(transaction)) {
    const [receiver, reference] = [accounts[RECEIVER], accounts[REFERENCE]]
    if (receiver === undefined || reference === undefined) continue
    if (keyAt(programIdIndex) !== SYSTEM_PROGRAM || keyAt(receiver) !== account) continue
    const lamports = lamportsOf(data)
    if (lamports === null || lamports === 0n) continue
    transfers.push({
      asset: 'SOL',
      address: keyAt(reference),
      txId: signatures[0] ?? '',
      outputIndex: transfers.length,
      amount: fromUnits(lamports, DECIMALS),
    })
  }
  return transfers
}
