import { describe, expect, test } from '@jest/globals'
import { createPixelCount } from './image-pixels.ts'

const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const png = (width: number, height: number) => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
    Buffer.from('IHDR'),
    size,
    Buffer.from('0802000000', 'hex'),
  ])
}
const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(content.length + 2), content])
const frame = (width: number, height: number, marker = 0xc0) =>
  segment(
    marker,
    Buffer.concat([
      Buffer.from([8]),
      uint16(height),
      uint16(width),
      Buffer.from('03012200021101031101', 'hex'),
    ]),
  )
const SOI = Buffer.from('ffd8', 'hex')
/** Larger than one piece, and holds a frame header of a thumbnail. */
const EXIF = segment(0xe1, Buffer.concat([Buffer.alloc(60_000, 7), frame(160, 120)]))
const SCAN = segment(0xda, Buffer.alloc(10))
const jpeg = (...parts: Buffer[]) => Buffer.concat([SOI, ...parts, SCAN, frame(9, 9)])

const count = (type: 'image/png' | 'image/jpeg' | 'application/pdf', bytes: Buffer, pieceLength: number) => {
  const counter = createPixelCount(type)
  for (let at = 0; at < bytes.length; at += pieceLength) counter.read(bytes.subarray(at, at + pieceLength))
  return counter.pixels()
}

describe.each([1, 7, 65_536])('an image in pieces of %i bytes', (pieceLength) => {
  test.each([
    ['the IHDR chunk of a PNG', 'image/png', png(30_000, 30_000), 900_000_000],
    ['the largest PNG', 'image/png', png(2 ** 31 - 1, 2 ** 31 - 1), (2 ** 31 - 1) ** 2],
    ['the frame header of a JPEG', 'image/jpeg', jpeg(frame(640, 480)), 307_200],
    ['a progressive JPEG', 'image/jpeg', jpeg(frame(65_500, 65_500, 0xc2)), 65_500 ** 2],
    ['a JPEG with a thumbnail in its EXIF data', 'image/jpeg', jpeg(EXIF, EXIF, frame(4_000, 3_000)), 12e6],
    [
      'a JPEG with Huffman tables before its frame',
      'image/jpeg',
      jpeg(segment(0xc4, Buffer.alloc(30)), frame(2, 3)),
      6,
    ],
    [
      'a JPEG with fill bytes and bytes of no segment',
      'image/jpeg',
      jpeg(Buffer.from('0102ff00ffff', 'hex'), frame(40_000, 40_000)),
      1_600_000_000,
    ],
  ] as const)('reads the size from %s', (_what, type, bytes, pixels) => {
    expect(count(type, bytes, pieceLength)).toBe(pixels)
  })

  test.each([
    ['a PNG that is cut off', 'image/png', png(5, 5).subarray(0, 23)],
    [
      'a PNG whose first chunk is another',
      'image/png',
      Buffer.from(png(5, 5).toString('latin1').replace('IHDR', 'IDAT'), 'latin1'),
    ],
    ['a JPEG that is cut off', 'image/jpeg', Buffer.concat([SOI, EXIF]).subarray(0, 30_000)],
    ['a JPEG without a frame before its scan', 'image/jpeg', jpeg()],
    ['a frame header that no decoder takes', 'image/jpeg', jpeg(segment(0xc0, Buffer.alloc(40, 1)))],
    ['a segment of an impossible length', 'image/jpeg', jpeg(Buffer.from('ffe00001', 'hex'), frame(5, 5))],
    ['a PDF', 'application/pdf', Buffer.from('%PDF-1.7')],
  ] as const)('finds no size in %s', (_what, type, bytes) => {
    expect(count(type, bytes, pieceLength)).toBeNull()
  })
})
