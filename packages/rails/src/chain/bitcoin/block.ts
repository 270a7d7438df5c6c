import { createByteReader, TruncatedError } from './byte-reader.ts'
import { HEADER_BYTES, InvalidBlockError, parseHeader } from './header.ts'
import type { ChainParameters } from './parameters.ts'
import { readTransaction, type Transaction } from './transaction.ts'
import { doubleSha256 } from './hashes.ts'

/**
 * The merkle root over the hashes of a block's transactions; null when two neighbours at any height are equal, because
 * the same root then belongs to another list too, with transactions twice (CVE-2012-2459).
 */
const merkleRootOf = (hashes: readonly Buffer[]): Buffer | null => {
  let level = hashes
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] as Buffer
      const right = level[at + 1]
      if (right?.equals(left)) return null
      above.push(doubleSha256(Buffer.concat([left, right ?? left])))
    }
    level = above
  }
  return level[0] ?? null
}

/** A transaction that pays nobody takes at least this. */
const SMALLEST_TRANSACTION_BYTES = 10

const OP_1 = 0x51
const OP_16 = 0x60

/** The height that a coinbase begins with (BIP-34): an opcode up to 16, then the bytes of the number. */
const heightOf = (script: Buffer): number | null => {
  const first = script[0] ?? 0
  if (first >= OP_1 && first <= OP_16) return first - OP_1 + 1
  return first >= 1 && first <= 6 && script.length > first ? script.readUIntLE(1, first) : null
}

const readTransactions = (bytes: Buffer): readonly Transaction[] => {
  const reader = createByteReader(bytes.subarray(HEADER_BYTES))
  const count = reader.compactSize()
  if (count * SMALLEST_TRANSACTION_BYTES > reader.remaining())
    throw new InvalidBlockError('contains fewer transactions than it announces')
  const transactions = Array.from({ length: count }, () => readTransaction(reader))
  // In Litecoin's blocks the MWEB extension block follows the last transaction.
  if (reader.remaining() > 0 && transactions.at(-1)?.isHogEx !== true)
    throw new InvalidBlockError('continues after its last transaction')
  return transactions
}

/**
 * All transactions of the block with this hash and height, checked so that none can be left out, added or changed:
 * the header has the hash and the work, the transactions have the header's merkle root, the first and no other is a
 * coinbase (so that no inner node of the tree passes for a transaction, CVE-2017-12842), and it names the height.
 * @throws InvalidBlockError for any other bytes
 */
export const parseBlock = (
  bytes: Buffer,
  { hash, number }: Readonly<{ hash: string; number: number }>,
  chain: ChainParameters,
): readonly Transaction[] => {
  const { merkleRoot } = parseHeader(bytes, hash, chain)
  try {
    const transactions = readTransactions(bytes)
    if (merkleRootOf(transactions.map((transaction) => transaction.hash))?.equals(merkleRoot) !== true)
      throw new InvalidBlockError('contains other transactions than its header states')
    const [first, ...others] = transactions
    if (!first?.coinbaseScript || others.some(({ coinbaseScript }) => coinbaseScript))
      throw new InvalidBlockError('does not begin with its only coinbase transaction')
    if (heightOf(first.coinbaseScript) !== number)
      throw new InvalidBlockError(`has the height ${heightOf(first.coinbaseScript)}`)
    return transactions
  } catch (error) {
    if (error instanceof TruncatedError) throw new InvalidBlockError(`is cut: ${error.message}`)
    throw error
  }
}
