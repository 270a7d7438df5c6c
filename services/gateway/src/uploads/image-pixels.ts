import type { DocumentMimeType } from '@causeway/contracts'

/** Maximum pixels of an image: decoded, 100 million take 400 MB in the viewer. */
export const MAX_PIXELS = 100_000_000

/** The next bytes that a header's reader needs: takes or skips a number of bytes, or skips to the next 0xff. */
type Need = Readonly<{ take: number } | { skip: number } | 'marker'>
type HeaderReader = Generator<Need, number | null, Buffer>

/** PNG (W3C) §11.2.1: the first chunk is IHDR. */
const readPng = function* (): HeaderReader {
  const head = yield { take: 24 }
  return head.toString('latin1', 12, 16) === 'IHDR' ? head.readUInt32BE(16) * head.readUInt32BE(20) : null
}

const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)
/** Markers without a length: TEM, RST0 to RST7, SOI; and a stuffed zero, which is no marker. */
const isAlone = (code: number) => code <= 0x01 || (code >= 0xd0 && code <= 0xd8)
const EOI = 0xd9
const SOS = 0xda

/**
 * ITU T.81, Annex B: segments up to the first frame header (SOF). As decoders do, passes over bytes between segments
 * that are no marker. A frame header whose length does not match its components is one that no decoder takes.
 */
const readJpeg = function* (): HeaderReader {
  for (;;) {
    yield 'marker'
    let code = 0xff
    while (code === 0xff) code = (yield { take: 1 })[0] ?? 0
    if (code === EOI || code === SOS) return null
    if (isAlone(code)) continue
    const length = (yield { take: 2 }).readUInt16BE()
    if (isFrame(code)) {
      const frame = yield { take: 6 }
      const isWhole = length === 8 + 3 * (frame[5] ?? 0)
      return isWhole ? frame.readUInt16BE(1) * frame.readUInt16BE(3) : null
    }
    if (length < 2) return null
    yield { skip: length - 2 }
  }
}

const READERS: Readonly<Partial<Record<DocumentMimeType, () => HeaderReader>>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
}

/**
 * Counts the pixels that an image's header states, while its bytes pass: nothing is decoded and at most 24 bytes are
 * kept. `pixels` is null for another type, and as long as no header was found.
 */
export const createPixelCount = (type: DocumentMimeType) => {
  const reader = READERS[type]?.()
  let step = reader?.next()
  let pixels: number | null = null
  let taken: Buffer = Buffer.alloc(0)
  let skipped = 0

  /** Serves the reader's need from the bytes. @returns those left over, or null where it needs further ones */
  const serve = (need: Need, bytes: Buffer): Buffer | null => {
    if (need === 'marker') {
      const at = bytes.indexOf(0xff)
      if (at === -1) return null
      step = reader?.next()
      return bytes.subarray(at + 1)
    }
    if ('skip' in need) {
      const rest = bytes.subarray(need.skip - skipped)
      skipped += bytes.length - rest.length
      if (skipped < need.skip) return null
      skipped = 0
      step = reader?.next()
      return rest
    }
    const missing = need.take - taken.length
    taken = Buffer.concat([taken, bytes.subarray(0, missing)])
    if (taken.length < need.take) return null
    step = reader?.next(taken)
    taken = Buffer.alloc(0)
    return bytes.subarray(missing)
  }

  return {
    pixels: (): number | null => pixels,
    read(piece: Buffer): void {
      let bytes: Buffer | null = piece
      while (bytes !== null && step !== undefined && step.done !== true) bytes = serve(step.value, bytes)
      if (step?.done === true) pixels = step.value
    },
  }
}
