import { NotDoneError, type Blobs, type RelayedReply } from '@causeway/chassis'
import { documents, MAX_DOCUMENT_BYTES, type DocumentMimeType, type FieldReason } from '@causeway/contracts'
import { UploadFault } from './fault.ts'
import type { TakeFile } from './form.ts'
import { HEAD_BYTES, detectType } from './detect-type.ts'

/** A file whose bytes are stored: what its row will say of it. */
export type StoredFile = Readonly<{
  blob_key: string
  blob_secret: string
  mime_type: DocumentMimeType
  file_size_bytes: number
}>

export type Refused = Extract<RelayedReply, { ok: false }>

/** What came of the file. `blobKey` is set from the moment on in which bytes of it may lie in the store. */
export type ReceivedFile = {
  stored: StoredFile | null
  /** What is wrong with the file. */
  fault: Readonly<{ field: string; reason: FieldReason }> | null
  refused: Refused | null
  blobKey: string | null
}

type ReceiverDependencies = Readonly<{
  blobs: Blobs
  /** Asks whether the customer may upload and where the bytes go. */
  begin: () => Promise<RelayedReply>
}>

const drain = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
  const iterator = bytes[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}

/** The same bytes, counted; one too many ends them. */
const bounded = async function* (
  bytes: AsyncIterable<Buffer>,
  size: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    size.bytes += piece.length
    if (size.bytes > MAX_DOCUMENT_BYTES) throw new UploadFault('too_large')
    yield piece
  }
}

/** Reads the beginning of a file, and gives the whole of it again. */
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

/** Receives one file: detects its type by its first bytes, asks where it goes, and stores it encrypted as it arrives. */
export const createFileReceiver = ({
  blobs,
  begin,
}: ReceiverDependencies): { received: ReceivedFile; take: TakeFile } => {
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
    async take(bytes) {
      const size = { bytes: 0 }
      const { head, whole } = await peek(bounded(bytes, size))
      const type = detectType(head)
      if (type === null) {
        received.fault = { field: 'file', reason: head.length === 0 ? 'too_small' : 'unsupported_type' }
        return drain(whole)
      }
      const begun = await begin()
      if (!begun.ok) {
        received.refused = begun
        return drain(whole)
      }
      const { blob_key: key } = documents.createUpload.reply.parse(
        JSON.parse(Buffer.from(begun.data).toString('utf8')),
      )
      const secret = await store(key, whole)
      received.stored = {
        blob_key: key,
        blob_secret: secret,
        mime_type: type,
        file_size_bytes: size.bytes,
      }
    },
  }
}
