import { type ByteReader, createByteReader, TruncatedError } from './byte-reader.ts'
import { doubleSha256, hashText } from './hashes.ts'

/** An amount that a transaction pays to a script. */
export type Output = Readonly<{ value: bigint; script: Buffer }>

export type Transaction = Readonly<{
  /** As serialized. */
  hash: Buffer
  /** The script of the first input of a coinbase, which begins with the block's height (BIP-34); null for others. */
  coinbaseScript: Buffer | null
  /** The outputs that it spends, as `txId:index`; empty for a coinbase. */
  spends: readonly string[]
  outputs: readonly Output[]
  /** Litecoin: the last transaction of a block, which carries what leaves the MWEB extension block (LIP-0003). */
  isHogEx: boolean
}>

/** Flags of BIP-144 and LIP-0003. */
const WITNESS = 0x01
const MWEB = 0x08
const OUTPOINT_BYTES = 36
const SMALLEST_OUTPUT_BYTES = 9
const LOCK_TIME_BYTES = 4
const NULL_OUTPOINT = Buffer.concat([Buffer.alloc(32), Buffer.alloc(4, 0xff)])

type Body = Readonly<{ version: Buffer; flags: number; inputsAndOutputs: Buffer; inputs: number }> &
  Pick<Transaction, 'coinbaseScript' | 'spends' | 'outputs'>

const HASH_BYTES = 32
const outpointText = (outpoint: Buffer): string =>
  `${hashText(outpoint.subarray(0, HASH_BYTES))}:${outpoint.readUInt32LE(HASH_BYTES)}`

const readInputs = (reader: ByteReader, count: number): Pick<Transaction, 'coinbaseScript' | 'spends'> => {
  let coinbaseScript: Buffer | null = null
  const spends: string[] = []
  for (let index = 0; index < count; index++) {
    const outpoint = reader.bytes(OUTPOINT_BYTES)
    const script = reader.bytes(reader.compactSize())
    reader.uint32()
    if (count === 1 && outpoint.equals(NULL_OUTPOINT)) coinbaseScript = script
    else spends.push(outpointText(outpoint))
  }
  return { coinbaseScript, spends }
}

const readOutputs = (reader: ByteReader): readonly Output[] => {
  const count = reader.compactSize()
  if (count * SMALLEST_OUTPUT_BYTES > reader.remaining())
    throw new TruncatedError(`${count} outputs announced`)
  return Array.from({ length: count }, () => ({
    value: reader.int64(),
    script: reader.bytes(reader.compactSize()),
  }))
}

/** Up to the outputs: what an id depends on, but for the lock time, which is the last. */
const readBody = (reader: ByteReader): Body => {
  const version = reader.bytes(4)
  // A marker where the count of inputs would be: no transaction of the older form has none.
  const marked = reader.peek() === 0
  if (marked) reader.uint8()
  const flags = marked ? reader.uint8() : 0
  if ((flags & ~(WITNESS | MWEB)) !== 0) throw new TruncatedError(`flags ${flags} are unknown`)
  const from = reader.position()
  const inputs = reader.compactSize()
  const spent = readInputs(reader, inputs)
  const outputs = readOutputs(reader)
  return { version, flags, inputs, ...spent, outputs, inputsAndOutputs: reader.since(from) }
}

const complete = (body: Body, lockTime: Buffer): Transaction => ({
  hash: doubleSha256(Buffer.concat([body.version, body.inputsAndOutputs, lockTime])),
  coinbaseScript: body.coinbaseScript,
  spends: body.spends,
  outputs: body.outputs,
  isHogEx: (body.flags & MWEB) !== 0,
})

/**
 * The next transaction of a block.
 * @throws TruncatedError when the bytes are none
 */
export const readTransaction = (reader: ByteReader): Transaction => {
  const body = readBody(reader)
  if ((body.flags & WITNESS) !== 0)
    for (let input = 0; input < body.inputs; input++)
      for (let items = reader.compactSize(); items > 0; items--) reader.bytes(reader.compactSize())
  // In a block this is the null of the last transaction: those of MWEB itself are in the extension block.
  if ((body.flags & MWEB) !== 0 && reader.uint8() !== 0)
    throw new TruncatedError('a transaction of a block contains MWEB data')
  return complete(body, reader.bytes(LOCK_TIME_BYTES))
}

/**
 * Parses a single transaction, as a mempool has it. The witnesses and Litecoin's MWEB data, which follow the outputs, do
 * not affect its id, except the last bytes.
 * @throws TruncatedError when the bytes are no transaction
 */
export const parseTransaction = (bytes: Buffer): Transaction => {
  const reader = createByteReader(bytes)
  const body = readBody(reader)
  if (reader.remaining() < LOCK_TIME_BYTES) throw new TruncatedError('no lock time')
  return complete(body, bytes.subarray(-LOCK_TIME_BYTES))
}
