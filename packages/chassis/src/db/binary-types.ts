/** How a value is encoded in binary: its most bytes, and a writer that returns how many it wrote, or that it cannot. */
export type BinaryType = Readonly<{
  oid: number
  roomFor: (value: unknown) => number
  write: (into: Buffer, value: unknown, at: number) => number
}>

export const NOT_OF_THE_TYPE = -1
/** Length that marks a null value. */
export const LENGTH_OF_NULL = -1
/** Size of the length before each value. */
export const LENGTH_BYTES = 4
const UTF8_BYTES_AT_MOST = 3
const FLOAT8_BYTES = 8
const UUID_BYTES = 16
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const integers = (
  oid: number,
  bytes: number,
  put: (into: Buffer, value: number, at: number) => void,
): BinaryType => {
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

/** Types by their names in a cast. */
export const BINARY_TYPES: ReadonlyMap<string, BinaryType> = new Map([
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
] satisfies [string, BinaryType][])
