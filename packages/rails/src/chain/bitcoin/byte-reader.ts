/** The bytes end before what they announce. */
export class TruncatedError extends Error {
  override readonly name = 'TruncatedError'
}

/** Reads Bitcoin's serialization from front to back. All integers are little-endian. */
export type ByteReader = Readonly<{
  position: () => number
  uint8: () => number
  uint32: () => number
  int64: () => bigint
  /** A length or count in 1, 3, 5 or 9 bytes. */
  compactSize: () => number
  /** A view of the next bytes, not a copy. */
  bytes: (length: number) => Buffer
  /** A view of what was read since this position. */
  since: (position: number) => Buffer
  /** The next byte, without reading it; -1 at the end. */
  peek: () => number
  remaining: () => number
}>

export const createByteReader = (source: Buffer): ByteReader => {
  let at = 0
  /** Moves on and gives the position before. */
  const advance = (length: number): number => {
    const from = at
    if (length > source.length - from) throw new TruncatedError(`${length} bytes announced at offset ${from}`)
    at = from + length
    return from
  }
  const uint8 = () => source.readUInt8(advance(1))
  const uint32 = () => source.readUInt32LE(advance(4))
  return {
    position: () => at,
    uint8,
    uint32,
    int64: () => source.readBigInt64LE(advance(8)),
    compactSize: () => {
      const first = uint8()
      if (first < 0xfd) return first
      if (first === 0xfd) return source.readUInt16LE(advance(2))
      if (first === 0xfe) return uint32()
      const size = source.readBigUInt64LE(advance(8))
      // Nothing is that long: the next read fails.
      return Number(size)
    },
    bytes: (length) => {
      const from = advance(length)
      return source.subarray(from, at)
    },
    since: (position) => source.subarray(position, at),
    peek: () => (at < source.length ? source.readUInt8(at) : -1),
    remaining: () => source.length - at,
  }
}
