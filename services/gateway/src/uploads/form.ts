import type { Details } from '@causeway/chassis'

/** Limit of the whole body: a form or JSON with the largest file is smaller, even with escapes. */
export const MAX_UPLOAD_BYTES = 18 * 1024 * 1024

/** Receives the bytes of an upload's file as they arrive; called at most once, and reads them to their end. */
export type ReceiveFile = (bytes: AsyncIterable<Buffer>) => Promise<void>

/** The fields of an upload besides its file. */
export type UploadForm = Readonly<{
  documentType: string | undefined
  fileName: string | undefined
  faults: Details
}>
