/**
 * The fields of a serialized transaction or its metadata up to its accounts (xrpl.org, "Binary Format"): all that say
 * what a payment pays. Fields stand in the order of their types; what follows are objects and lists.
 */
export type Fields = ReadonlyMap<string, Buffer>

/** The bytes are not of the form. */
export class SerializationError extends Error {
  override readonly name = 'SerializationError'
}

const AMOUNT = 6
const LAST_TYPE = 8
/** Bytes of UInt16, UInt32, UInt64, Hash128, Hash256. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 2, 2: 4, 3: 8, 4: 16, 5: 32 }
const ISSUED_BYTES = 48
const MPT_BYTES = 33
const XRP_BYTES = 8

/** Names of what is read here, by type and number. */
const NAMES: Readonly<Record<string, string>> = {
  '1.2': 'TransactionType',
  '2.2': 'Flags',
  '2.14': 'DestinationTag',
  '6.1': 'Amount',
  '6.18': 'DeliveredAmount',
  '8.1': 'Account',
  '8.3': 'Destination',
}

const createCursor = (bytes: Buffer) => {
  let at = 0
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new SerializationError(`ends within the field at ${at}`)
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = () => take(1).readUInt8()
  return { byte, take, peek: () => bytes[at] ?? 0, isAtEnd: () => at === bytes.length }
}
type Cursor = ReturnType<typeof createCursor>

/** Reads type and field: four bits each, or a separate byte for values above 15. */
const readHeader = (cursor: Cursor): { type: number; field: number } => {
  const first = cursor.byte()
  const type = first >> 4 === 0 ? cursor.byte() : first >> 4
  return { type, field: (first & 15) === 0 ? cursor.byte() : first & 15 }
}

const readLength = (cursor: Cursor): number => {
  const first = cursor.byte()
  if (first <= 192) return first
  if (first <= 240) return 193 + (first - 193) * 256 + cursor.byte()
  return 12_481 + (first - 241) * 65_536 + cursor.byte() * 256 + cursor.byte()
}

const amountBytes = (first: number): number => {
  if ((first & 0x80) !== 0) return ISSUED_BYTES
  return (first & 0x20) !== 0 ? MPT_BYTES : XRP_BYTES
}

const bytesOf = (type: number, cursor: Cursor): number => {
  if (type === AMOUNT) return amountBytes(cursor.peek())
  return FIXED_BYTES[type] ?? readLength(cursor)
}

/** @throws SerializationError */
export const readFields = (bytes: Buffer): Fields => {
  const fields = new Map<string, Buffer>()
  const cursor = createCursor(bytes)
  while (!cursor.isAtEnd()) {
    const { type, field } = readHeader(cursor)
    if (type > LAST_TYPE) break
    const value = cursor.take(bytesOf(type, cursor))
    const name = NAMES[`${type}.${field}`]
    if (name !== undefined) fields.set(name, value)
  }
  return fields
}

/** Drops of an amount in XRP; null for an issued currency or a token. */
export const dropsOf = (amount: Buffer): bigint | null =>
  amount.length === XRP_BYTES ? amount.readBigUInt64BE() & ((1n << 61n) - 1n) : null
