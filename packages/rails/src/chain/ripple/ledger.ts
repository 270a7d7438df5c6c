import { createHash } from 'node:crypto'
import type { BlockHeader, Transfer } from '../block-source.ts'
import { encodeXAddress, encodeClassicAddress } from '../formats/xrp-address.ts'
import { fromUnits } from '../units.ts'
import { dropsOf, readFields, SerializationError } from './fields.ts'

/** A transaction with its metadata, as a ledger's tree has them. */
type Leaf = Readonly<{ id: Buffer; transaction: Buffer; metadata: Buffer }>

const NOTHING = Buffer.alloc(32)

/** First four bytes of hashed data, which name its kind (xrpl.org, "Hash Prefixes"). */
const PREFIXES = {
  ledger: 'LWR\0',
  transaction: 'TXN\0',
  transactionNode: 'SND\0',
  innerNode: 'MIN\0',
} as const

/** The first half of SHA-512. */
const hashOf = (kind: keyof typeof PREFIXES, ...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha512').update(PREFIXES[kind], 'latin1')
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, 32)
}

/** How hashes are written. */
const hashText = (hash: Buffer): string => hash.toString('hex').toUpperCase()

/** Length before bytes of variable length. */
const lengthOf = ({ length }: Buffer): Buffer => {
  if (length <= 192) return Buffer.from([length])
  if (length <= 12_480) return Buffer.from([193 + ((length - 193) >> 8), (length - 193) & 255])
  const above = length - 12_481
  return Buffer.from([241 + (above >> 16), (above >> 8) & 255, above & 255])
}

const leafHash = ({ id, transaction, metadata }: Leaf): Buffer =>
  hashOf('transactionNode', lengthOf(transaction), transaction, lengthOf(metadata), metadata, id)

const nibbleAt = (id: Buffer, depth: number): number => {
  const byte = id[depth >> 1] ?? 0
  return depth % 2 === 0 ? byte >> 4 : byte & 15
}

const innerHash = (leaves: readonly Leaf[], depth: number): Buffer => {
  const branches = Array.from({ length: 16 }, (): Leaf[] => [])
  for (const leaf of leaves) branches[nibbleAt(leaf.id, depth)]?.push(leaf)
  const hashes = branches.map(([first, ...others]) => {
    if (!first) return NOTHING
    return others.length === 0 ? leafHash(first) : innerHash([first, ...others], depth + 1)
  })
  return hashOf('innerNode', ...hashes)
}

/** The root of the tree by transaction ids (xrpl.org, "SHAMap"). No id may come twice. */
const transactionRootOf = (leaves: readonly Leaf[]): Buffer =>
  leaves.length === 0 ? NOTHING : innerHash(leaves, 0)

/** A ledger as its servers give it in binary form. */
export type RawLedger = Readonly<{
  data: Buffer
  transactions: readonly Readonly<{ transaction: Buffer; metadata: Buffer }>[]
}>

const HEADER_BYTES = 118
/** Seconds from 1970 to the ledger's epoch, 2000-01-01. */
const EPOCH_SECONDS = 946_684_800
const XRP_DECIMALS = 6
const PAYMENT = 0
const PARTIAL_PAYMENT = 0x00020000
/** The last field of metadata, TransactionResult, with the code of tesSUCCESS. */
const SUCCESS = Buffer.from([0x03, 0x10, 0x00])

/**
 * The header of a ledger; its hash is computed from its bytes.
 * @throws SerializationError
 */
export const parseHeader = (data: Buffer): BlockHeader => {
  if (data.length < HEADER_BYTES) throw new SerializationError('is shorter than a header')
  return {
    number: data.readUInt32BE(0),
    hash: hashText(hashOf('ledger', data.subarray(0, HEADER_BYTES))),
    parentHash: hashText(data.subarray(12, 44)),
    minedAt: new Date((data.readUInt32BE(112) + EPOCH_SECONDS) * 1_000),
  }
}
const transactionRootIn = (data: Buffer): Buffer => data.subarray(44, 76)

/** The address as `watchAddress` writes it: with the tag in it, where there is one. */
const addressOf = (account: Buffer, tag: Buffer | undefined): string =>
  tag ? encodeXAddress(account, tag.readUInt32BE()) : encodeClassicAddress(account)

/** Accounts of 20 bytes, as hex. */
export type RippleAccounts = ReadonlySet<string>

/** The receiving account and the sender, unless the receiver is another account or the sender is ours. */
const sharedOf = (
  { receiver, sender, address }: Readonly<{ receiver: Buffer; sender: Buffer | undefined; address: string }>,
  ours: RippleAccounts,
): Pick<Transfer, 'shared'> =>
  ours.has(receiver.toString('hex')) && sender?.length === 20 && !ours.has(sender.toString('hex'))
    ? { shared: { address, sender: encodeClassicAddress(sender) } }
    : {}

/**
 * Returns the transfer of a successful XRP payment. A partial payment delivers the amount in its metadata, which may be a
 * millionth of its `Amount`.
 */
const transferOf = ({ id, transaction, metadata }: Leaf, ours: RippleAccounts): Transfer | null => {
  if (!metadata.subarray(-SUCCESS.length).equals(SUCCESS)) return null
  const payment = readFields(transaction)
  if (payment.get('TransactionType')?.readUInt16BE() !== PAYMENT) return null
  const delivered = readFields(metadata).get('DeliveredAmount')
  const isPartial = ((payment.get('Flags')?.readUInt32BE() ?? 0) & PARTIAL_PAYMENT) !== 0
  if (isPartial && !delivered)
    throw new SerializationError('has a partial payment without its delivered amount')
  const [amount, account] = [delivered ?? payment.get('Amount'), payment.get('Destination')]
  if (!amount || account?.length !== 20)
    throw new SerializationError('has a payment without amount or destination')
  const drops = dropsOf(amount)
  if (drops === null || drops === 0n) return null
  const address = addressOf(account, payment.get('DestinationTag'))
  return {
    asset: 'XRP',
    address,
    txId: hashText(id),
    outputIndex: 0,
    amount: fromUnits(drops, XRP_DECIMALS),
    ...sharedOf({ receiver: account, sender: payment.get('Account'), address }, ours),
  }
}

/**
 * The transfers of the ledger with this hash, whose header has the root of exactly these transactions.
 * @param ours the receiving accounts of the platform
 * @throws SerializationError for any other
 */
export const parseLedger = (
  { data, transactions }: RawLedger,
  expectedHash: string,
  ours: RippleAccounts,
): readonly Transfer[] => {
  const { hash } = parseHeader(data)
  if (hash !== expectedHash) throw new SerializationError(`has the hash ${hash}`)
  const leaves = transactions.map((each) => ({ ...each, id: hashOf('transaction', each.transaction) }))
  if (new Set(leaves.map(({ id }) => hashText(id))).size !== leaves.length)
    throw new SerializationError('contains a transaction twice')
  if (!transactionRootOf(leaves).equals(transactionRootIn(data)))
    throw new SerializationError('contains other transactions than its header states')
  return leaves.flatMap((leaf) => transferOf(leaf, ours) ?? [])
}
