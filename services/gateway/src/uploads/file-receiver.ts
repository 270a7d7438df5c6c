import { NotDoneError, type Blobs, type RelayedReply } from '@causeway/chassis'
import { documents, MAX_DOCUMENT_BYTES, type DocumentMimeType, type FieldReason } from '@causeway/contracts'
import { UploadFault } from './fault.ts'
import type { ReceiveFile } from './form.ts'
import { HEAD_BYTES, detectType } from './detect-type.ts'
import { createPixelCount, MAX_PIXELS } from './image-pixels.ts'

const EMPTY = { field: 'file', reason: 'too_small', expected: 'a file that is not empty' } as const
const UNKNOWN_TYPE = {
  field: 'file',
  reason: 'unsupported_type',
  expected: 'a PDF, PNG or JPEG, recognised by its first bytes and not by its name',
} as const

/** A file whose bytes are stored, as fields of its document. */
export type StoredFile = Readonly<{
  blob_key: string
  blob_secret: string
  mime_type: DocumentMimeType
  file_size_bytes: number
}>

export type Refused = Extract<RelayedReply, { ok: false }>

/** The result for the file. `blobKey` is set as soon as bytes may be in the store. */
export type ReceivedFile = {
  stored: StoredFile | null
  /** The fault of the file itself. */
  fault: Readonly<{ field: string; reason: FieldReason; expected?: string }> | null
  /** Onboarding's refusal of the upload. */
  refused: Refused | null
  blobKey: string | null
}

type ReceiverDependencies = Readonly<{
  blobs: Blobs
  /** See `DocumentService`. */
  createUpload: () => Promise<RelayedReply>
}>

const drain = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
  const iterator = bytes[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}

/** Counts the bytes. @throws UploadFault when there are too many */
const limited = async function* (
  bytes: AsyncIterable<Buffer>,
  size: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    size.bytes += piece.length
    if (size.bytes > MAX_DOCUMENT_BYTES) throw new UploadFault('too_large')
    yield piece
  }
}

const passing = async function* (
  bytes: AsyncIterable<Buffer>,
  read: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    read(piece)
    yield piece
  }
}

/** Reads the first bytes of a file. @returns them, and the whole file including them */
const peek = async (bytes: AsyncGenerator<Buffer>) => {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD_BYTES) {
    const next = await bytes.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield head
    yield* bytes
  }
  return { head, whole: whole() }
}

/** Receives one file: detects its type by its first bytes, creates the upload, and stores the bytes
 * encrypted as they arrive. */
export const createFileReceiver = ({
  blobs,
  createUpload,
}: ReceiverDependencies): { received: ReceivedFile; receive: ReceiveFile } => {
  const received: ReceivedFile = { stored: null, fault: null, refused: null, blobKey: null }

  const store = async (key: string, bytes: AsyncIterable<Buffer>): Promise<string> => {
    received.blobKey = key
    try {
      return await blobs.write(key, bytes)
    } catch (error) {
      if (error instanceof UploadFault) throw error
      throw new NotDoneError('The bytes of a document could not be stored', { cause: error })
    }
  }

  return {
    received,
    async receive(bytes) {
      const size = { bytes: 0 }
      const { head, whole } = await peek(limited(bytes, size))
      const type = detectType(head)
      if (type === null) {
        received.fault = head.length === 0 ? EMPTY : UNKNOWN_TYPE
        return drain(whole)
      }
      const upload = await createUpload()
      if (!upload.ok) {
        received.refused = upload
        return drain(whole)
      }
      const { blob_key: key } = documents.createUpload.reply.parse(
        JSON.parse(Buffer.from(upload.data).toString('utf8')),
      )
      const image = createPixelCount(type)
      const secret = await store(
        key,
        passing(whole, (piece) => image.read(piece)),
      )
      if ((image.pixels() ?? 0) > MAX_PIXELS) {
        received.fault = { field: 'file', reason: 'too_big', expected: `at most ${MAX_PIXELS} pixels` }
        return
      }
      received.stored = {
        blob_key: key,
        blob_secret: secret,
        mime_type: type,
        file_size_bytes: size.bytes,
      }
    },
  }
}
