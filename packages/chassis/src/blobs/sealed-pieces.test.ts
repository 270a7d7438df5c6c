import { describe, expect, test } from '@jest/globals'
import { createSecretKey, randomBytes } from 'node:crypto'
import { CHUNK_BYTES, openPieces, sealPieces } from './sealed-pieces.ts'
import type { Pieces } from './store.ts'

const SEALED_CHUNK_BYTES = CHUNK_BYTES + 16
const key = createSecretKey(Buffer.alloc(32, 1))
const PLAIN = randomBytes(3 * CHUNK_BYTES + 100)

const inPieces = async function* (bytes: Buffer, size: number): Pieces {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const collect = async (pieces: Pieces): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
const seal = (bytes: Buffer, size = 1_000) => collect(sealPieces(inPieces(bytes, size), key))
const open = (bytes: Buffer, size = 1_000) => collect(openPieces(inPieces(bytes, size), key))

describe('sealed pieces', () => {
  test.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES])(
    'returns %d bytes unchanged for every size of the chunks',
    async (size) => {
      const plain = randomBytes(size)
      for (const pieceSize of [7, CHUNK_BYTES, 10 * CHUNK_BYTES]) {
        const sealed = await seal(plain, pieceSize)
        expect(sealed.length).toBe(size + 16 * Math.max(1, Math.ceil(size / CHUNK_BYTES)))
        expect((await open(sealed, pieceSize + 1)).equals(plain)).toBe(true)
      }
    },
  )

  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['a bit differs', (sealed) => Buffer.from(sealed.map((byte, at) => (at === 70_000 ? byte ^ 1 : byte)))],
    ['the last chunk is missing', (sealed) => sealed.subarray(0, 3 * SEALED_CHUNK_BYTES)],
    ['the first chunk is missing', (sealed) => sealed.subarray(SEALED_CHUNK_BYTES)],
    ['the end is cut off', (sealed) => sealed.subarray(0, -1)],
    ['nothing is left', () => Buffer.alloc(0)],
    ['something follows', (sealed) => Buffer.concat([sealed, Buffer.from('x')])],
    [
      'two chunks are swapped',
      (sealed) =>
        Buffer.concat([
          sealed.subarray(SEALED_CHUNK_BYTES, 2 * SEALED_CHUNK_BYTES),
          sealed.subarray(0, SEALED_CHUNK_BYTES),
          sealed.subarray(2 * SEALED_CHUNK_BYTES),
        ]),
    ],
  ])('are refused when %s', async (_what, alter) => {
    const sealed = await seal(PLAIN)
    await expect(open(alter(sealed))).rejects.toThrow()
  })

  test('returns no bytes of a chunk that is not authentic', async () => {
    const sealed = await seal(PLAIN)
    sealed[SEALED_CHUNK_BYTES + 5] = (sealed[SEALED_CHUNK_BYTES + 5] ?? 0) ^ 1
    const given: Buffer[] = []
    await expect(
      (async () => {
        for await (const piece of openPieces(inPieces(sealed, 1_000), key)) given.push(piece)
      })(),
    ).rejects.toThrow()
    expect(Buffer.concat(given).equals(PLAIN.subarray(0, CHUNK_BYTES))).toBe(true)
  })

  test('encrypts the same bytes differently under another key', async () => {
    const other = createSecretKey(Buffer.alloc(32, 2))
    const sealed = await seal(PLAIN)
    await expect(collect(openPieces(inPieces(sealed, 1_000), other))).rejects.toThrow()
  })
})
