import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const GREYSCALE = 0

const chunk = (type: string, data: Uint8Array): Buffer => {
  const framed = Buffer.alloc(12 + data.length)
  framed.writeUInt32BE(data.length, 0)
  framed.write(type, 4, 'ascii')
  framed.set(data, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length)
  return framed
}

/**
 * A square picture in black and white as PNG with one bit a pixel (RFC 2083). The encoder of `qrcode` takes five times
 * the bytes and, with the drawing, 2.5 times the CPU (ADR 0051).
 * @param size pixels of a side
 */
export const encodeBlackAndWhite = (
  size: number,
  isBlack: (row: number, column: number) => boolean,
): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, GREYSCALE, 0, 0, 0], 8)
  const rowBytes = 1 + Math.ceil(size / 8)
  const rows = Buffer.alloc(rowBytes * size, 0)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      if (!isBlack(row, column)) {
        const at = row * rowBytes + 1 + (column >> 3)
        rows[at] = (rows[at] ?? 0) | (0x80 >> (column & 7))
      }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
