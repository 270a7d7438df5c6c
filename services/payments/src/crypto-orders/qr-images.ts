import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'
import { encodeBlackAndWhite } from './png.ts'

/** About 1 KiB each. */
const MAX_IMAGES = 2_000
const PIXELS_PER_MODULE = 4
/** Light modules around the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** QR images of payment URIs as PNG in base64; the images used last are cached. */
export type QrImages = { of: (text: string) => string }

const draw = (text: string): string => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const moduleAt = (pixel: number) => Math.floor(pixel / PIXELS_PER_MODULE) - QUIET_ZONE
  const isDark = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < modules.size && column < modules.size && modules.get(row, column) === 1
  return encodeBlackAndWhite((modules.size + 2 * QUIET_ZONE) * PIXELS_PER_MODULE, (row, column) =>
    isDark(moduleAt(row), moduleAt(column)),
  ).toString('base64')
}

export const createQrImages = (): QrImages => {
  const images = new LRUCache<string, string>({ max: MAX_IMAGES, memoMethod: draw })
  return { of: (text) => images.memo(text) }
}
