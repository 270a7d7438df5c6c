import { parentPort, workerData } from 'node:worker_threads'
import { LOGO_BOX, MAX_LOGO_PIXELS, MAX_LOGO_SIDE } from '@causeway/contracts'
import Vips from 'wasm-vips'
import type { LogoJob, LogoResult } from './logo.ts'

/** Compression level of zlib: logos are small, and are read often. */
const COMPRESSION = 9

const { bytes, format } = workerData as LogoJob

// Only the formats of the core: no SVG, HEIF or JPEG XL can be decoded, whatever the bytes are.
// Its warnings about images would be lines on stderr that are no log entries; the variable switches them off.
const vips = await Vips({
  dynamicLibraries: [],
  preRun: (module: { ENV: Record<string, string> }) => {
    module.ENV['VIPS_WARNING'] = '0'
  },
})
vips.concurrency(1)

/** Refuses an image that does not end as its format asks for. */
const STRICT = { fail_on: 'warning' } as const

const LOADERS = {
  png: () => vips.Image.pngloadBuffer(bytes, STRICT),
  jpeg: () => vips.Image.jpegloadBuffer(bytes, STRICT),
  webp: () => vips.Image.webploadBuffer(bytes, STRICT),
}

/** Decodes the first frame, and encodes its pixels anew. */
function encode(): LogoResult {
  // Reads the header. The pixels follow when they are needed.
  const image = LOADERS[format]()
  const { width, height } = image
  if (width > MAX_LOGO_SIDE || height > MAX_LOGO_SIDE || width * height > MAX_LOGO_PIXELS) return 'too_big'
  const scaled = image
    .thumbnailImage(LOGO_BOX.width, { height: LOGO_BOX.height, size: 'down' })
    .colourspace('srgb')
    .cast('uchar')
  const png = scaled.pngsaveBuffer({ compression: COMPRESSION, bitdepth: 8, keep: 0 })
  return { png, width: scaled.width, height: scaled.height }
}

/** Any error of the library is a fault of the image: nothing else enters it. */
function encodeOrRefuse(): LogoResult {
  try {
    return encode()
  } catch {
    return 'unreadable'
  }
}

parentPort?.postMessage(encodeOrRefuse())
