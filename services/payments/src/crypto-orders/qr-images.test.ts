import { expect, test } from '@jest/globals'
import QRCode from 'qrcode'
import { crc32, inflateSync } from 'node:zlib'
import { createQrImages } from './qr-images.ts'

const URI = 'bitcoin:bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g?amount=0.00041667'

/** Reads the chunks of a PNG and verifies their checksums. */
const chunksOf = (png: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.subarray(0, 4).toString(), body.subarray(4))
    at += 12 + length
  }
  return chunks
}

test('draws exactly the modules of the code, four pixels each, in a quiet zone', () => {
  const png = Buffer.from(createQrImages().of(URI), 'base64')
  const { modules } = QRCode.create(URI, { errorCorrectionLevel: 'M' })
  const side = (modules.size + 8) * 4
  const chunks = chunksOf(png)
  const header = chunks.get('IHDR') ?? Buffer.alloc(0)
  expect([header.readUInt32BE(0), header.readUInt32BE(4), ...header.subarray(8)]).toEqual([
    side,
    side,
    1,
    0,
    0,
    0,
    0,
  ])
  const pixels = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const rowBytes = 1 + Math.ceil(side / 8)
  expect(pixels).toHaveLength(rowBytes * side)
  const shown: number[] = []
  const expected: number[] = []
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const byte = pixels[row * rowBytes + 1 + (column >> 3)] ?? 0
      shown.push(byte & (0x80 >> (column & 7)) ? 0 : 1)
      const [y, x] = [Math.floor(row / 4) - 4, Math.floor(column / 4) - 4]
      const isInside = y >= 0 && x >= 0 && y < modules.size && x < modules.size
      expected.push(isInside ? modules.get(y, x) : 0)
    }
  expect(shown).toEqual(expected)
})

test('draws the same text once', () => {
  const images = createQrImages()
  expect(images.of(URI)).toBe(images.of(URI))
  expect(images.of(`${URI}1`)).not.toBe(images.of(URI))
})
