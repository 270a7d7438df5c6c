import { BINARY_TYPES, LENGTH_BYTES, LENGTH_OF_NULL, NOT_OF_THE_TYPE } from './binary-types.ts'

const HEAD_BYTES = 20

/** Buffer shared by all calls, unless an array needs more: an array then costs one allocation of its size. */
const KEPT_BYTES = 4 * 1024 ** 2
let scratch = Buffer.allocUnsafe(65_536)

const reserve = (used: number, wanted: number): void => {
  if (used + wanted <= scratch.length) return
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, used + wanted))
  scratch.copy(larger, 0, 0, used)
  scratch = larger
}

/** One dimension that begins at 1; none for an empty array (PostgreSQL: array_recv). */
const writeHead = (oid: number, count: number): number => {
  const mayHoldNulls = 1
  const head = count === 0 ? [0, mayHoldNulls, oid] : [1, mayHoldNulls, oid, count, 1]
  let at = 0
  for (const field of head) at = scratch.writeInt32BE(field, at)
  return at
}

/**
 * Encodes an array in PostgreSQL's binary format, so that no element is escaped here or parsed there.
 * @param type the array's element type, as a statement's cast spells it
 * @returns null for an unknown type, or a value that is not of it: the array is then sent as text
 */
export const encodeBinaryArray = (type: string, values: readonly unknown[]): Buffer | null => {
  const element = BINARY_TYPES.get(type)
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
