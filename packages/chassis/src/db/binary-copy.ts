import {
  BINARY_TYPES,
  LENGTH_BYTES,
  LENGTH_OF_NULL,
  NOT_OF_THE_TYPE,
  type BinaryType,
} from './binary-types.ts'

/** What goes for one value of each type that rows are copied with. */
type CopyValues = {
  text: string
  smallint: number
  integer: number
  /** Milliseconds since the epoch; kept to the microsecond. */
  timestamptz: number
  uuid: string
}
type CopyType = keyof CopyValues

/** A column's type, and its value in a row. */
type CopyColumn<Row> = {
  [T in CopyType]: readonly [type: T, valueOf: (row: Row) => CopyValues[T] | null]
}[CopyType]

/** The columns of a table, in the order in which they are written. */
export type CopyColumns<Row> = Readonly<Record<string, CopyColumn<Row>>>

/** A CopyData message with its length still open; signature, no flags, no extension (COPY, Binary Format). */
const HEAD = Buffer.from('d\0\0\0\0PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const LENGTH_AT = 1
/** The end of the rows, which ends the message. */
const TRAILER = Buffer.from([0xff, 0xff])
const COPY_DONE = Buffer.from('c\0\0\0\x04', 'latin1')
const COUNT_BYTES = 2
/** PostgreSQL counts from 2000-01-01, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const TIMESTAMP_BYTES = 8
const LOW_WORD = 2 ** 32
const FIRST_BYTES = 65_536

const TIMESTAMPTZ: Pick<BinaryType, 'roomFor' | 'write'> = {
  roomFor: () => TIMESTAMP_BYTES,
  write: (into, value, at) => {
    if (typeof value !== 'number') return NOT_OF_THE_TYPE
    const microseconds = Math.round((value - EPOCH_MS) * 1_000)
    if (!Number.isSafeInteger(microseconds)) return NOT_OF_THE_TYPE
    into.writeInt32BE(Math.floor(microseconds / LOW_WORD), at)
    into.writeUInt32BE(microseconds >>> 0, at + LENGTH_BYTES)
    return TIMESTAMP_BYTES
  },
}

const typeOf = (name: CopyType): Pick<BinaryType, 'roomFor' | 'write'> => {
  const type = name === 'timestamptz' ? TIMESTAMPTZ : BINARY_TYPES.get(name)
  if (type === undefined) throw new Error(`No rows are copied with ${name}`)
  return type
}

/** A value that its column cannot take, under the code that PostgreSQL has for it (invalid_binary_representation). */
const notOfTheType = (column: string): Error =>
  Object.assign(new Error(`Column ${column} cannot hold a value that it was given`), { code: '22P03' })

/**
 * Encodes rows as `COPY … FROM STDIN (FORMAT binary)` takes them, in one message and its end (Message Formats: CopyData,
 * CopyDone): nothing is escaped here or parsed there.
 * @throws Error with the code 22P03 for a value that is not of its column's type
 */
export const createCopyEncoder = <Row>(columns: CopyColumns<Row>) => {
  const fields = Object.entries(columns).map(([column, [type, valueOf]]) => ({
    column,
    valueOf: valueOf,
    ...typeOf(type),
  }))
  return (rows: readonly Row[]): Buffer => {
    let bytes = Buffer.allocUnsafe(FIRST_BYTES)
    let at = HEAD.copy(bytes)
    const reserve = (wanted: number) => {
      if (at + wanted <= bytes.length) return
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, at + wanted))
      bytes.copy(larger, 0, 0, at)
      bytes = larger
    }
    for (const row of rows) {
      reserve(COUNT_BYTES)
      at = bytes.writeInt16BE(fields.length, at)
      for (const { column, valueOf, roomFor, write } of fields) {
        const value = valueOf(row)
        reserve(LENGTH_BYTES + roomFor(value))
        const length = value === null ? LENGTH_OF_NULL : write(bytes, value, at + LENGTH_BYTES)
        if (value !== null && length === NOT_OF_THE_TYPE) throw notOfTheType(column)
        bytes.writeInt32BE(length, at)
        at += LENGTH_BYTES + Math.max(length, 0)
      }
    }
    reserve(TRAILER.length + COPY_DONE.length)
    at += TRAILER.copy(bytes, at)
    bytes.writeInt32BE(at - LENGTH_AT, LENGTH_AT)
    at += COPY_DONE.copy(bytes, at)
    return bytes.subarray(0, at)
  }
}
