import type { DocumentMimeType } from '@causeway/contracts'

/** First bytes of each type: ISO 32000-1 §7.5.2, PNG (W3C) §5.2, JPEG (ITU T.81) SOI and the next marker. */
const SIGNATURES: readonly Readonly<{ type: DocumentMimeType; bytes: Buffer }>[] = [
  { type: 'application/pdf', bytes: Buffer.from('%PDF-') },
  { type: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') },
  { type: 'image/jpeg', bytes: Buffer.from('ffd8ff', 'hex') },
]

/** Number of bytes by which the type is detected. */
export const HEAD_BYTES = Math.max(...SIGNATURES.map(({ bytes }) => bytes.length))

/** The type of a file by its content; its name and its declared content type do not count (decisions §6). */
export const detectType = (head: Buffer): DocumentMimeType | null =>
  SIGNATURES.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes))?.type ?? null
