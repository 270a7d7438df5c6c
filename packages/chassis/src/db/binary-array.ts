/** How one element is written: its bytes at most, and a writer that tells how many it took, or that it cannot. */
type ElementType = Readonly<{
  oid: number
  roomFor: (value: unknown) => number
  write: (into: Buffer, value: unknown, at: number) => number
}>

const NOT_OF_THE_TYPE = -1
const LENGTH_OF_NULL = -1
const LENGTH_BYTES = 4
const HEAD_BYTES = 20
const UTF8_BYTES_AT_MOST = 3
const FLOAT8_BYTES = 8
const UUID_BYTES = 16
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const integers = (
  oid: number,
  bytes: number,
  put: (into: Buffer, value: number, at: number) => void,
): ElementType => {
  const limit = 2 ** (8 * bytes - 1)
  return {
    oid,
    roomFor: () => bytes,
    write: (into, value, at) => {
      if (!isSafeInteger(value) || value < -limit || value >= limit) return NOT_OF_THE_TYPE
      put(into, value, at)
      return bytes
    },
  }
}

const TYPES: ReadonlyMap<string, ElementType> = new Map([
  [
    'text',
    {
      oid: 25,
      roomFor: (value) => (typeof value === 'string' ? UTF8_BYTES_AT_MOST * value.length : 0),
      write: (into, value, at) =>
        typeof value === 'string' ? into.write(value, at, 'utf8') : NOT_OF_THE_TYPE,
    },
  ],
  ['smallint', integers(21, 2, (into, value, at) => into.writeInt16BE(value, at))],
  ['integer', integers(23, 4, (into, value, at) => into.writeInt32BE(value, at))],
  ['bigint', integers(20, 8, (into, value, at) => into.writeBigInt64BE(BigInt(value), at))],
  [
    'float8',
    {
      oid: 701,
      roomFor: () => FLOAT8_BYTES,
      write: (into, value, at) => {
        if (typeof value !== 'number') return NOT_OF_THE_TYPE
        into.writeDoubleBE(value, at)
        return FLOAT8_BYTES
      },
    },
  ],
  [
    'uuid',
    {
      oid: 2950,
      roomFor: () => UUID_BYTES,
      write: (into, value, at) =>
        typeof value === 'string' && UUID.test(value)
          ? into.write(value.replaceAll('-', ''), at, 'hex')
          : NOT_OF_THE_TYPE,
    },
  ],
] satisfies [string, ElementType][])

/** Kept between calls, unless one array needed more: an array then costs one allocation, of its own size. */
const KEPT_BYTES = 4 * 1024 ** 2
let scratch = Buffer.allocUnsafe(65_536)

const reserve = (used: number, wanted: number): void => {
  if (used + wanted <= scratch.length) return
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, used + wanted))
  scratch.copy(larger, 0, 0, used)
  scratch = larger
}

/** One dimension from 1 on; none where the array is empty (PostgreSQL: array_recv). */
const writeHead = (oid: number, count: number): number => {
  const mayHoldNulls = 1
  const head = count === 0 ? [0, mayHoldNulls, oid] : [1, mayHoldNulls, oid, count, 1]
  let at = 0
  for (const field of head) at = scratch.writeInt32BE(field, at)
  return at
}

/**
 * An array as PostgreSQL receives it in binary: no element is escaped here or parsed there.
 * @param type the array's element type, as a statement's cast spells it
 * @returns null for a type that is not known here, and when a value is not of it: the array then goes as text
 */
export const encodeBinaryArray = (type: string, values: readonly unknown[]): Buffer | null => {
  const element = TYPES.get(type)
  if (element === undefined) return null
  reserve(0, HEAD_BYTES)
  let at = writeHead(element.oid, values.length)
  for (const value of values) {
    reserve(at, LENGTH_BYTES + element.roomFor(value))
    const isNull = value === null || value === undefined
    const length = isNull ? LENGTH_OF_NULL : element.write(scratch, value, at + LENGTH_BYTES)
    if (!isNull && length === NOT_OF_THE_TYPE) return null
    scratch.writeInt32BE(length, at)
    at += LENGTH_BYTES + Math.max(length, 0)
  }
  const encoded = Buffer.from(scratch.subarray(0, at))
  if (scratch.length > KEPT_BYTES) scratch = Buffer.allocUnsafe(KEPT_BYTES)
  return encoded
}
