import type { Details } from '@causeway/chassis'

/** More than a form or a JSON text with the largest file has, escapes of serialisers included. */
export const MAX_UPLOAD_BYTES = 18 * 1024 * 1024

/** Takes the bytes of an upload's file as they arrive; called at most once, and reads them to their end. */
export type TakeFile = (bytes: AsyncIterable<Buffer>) => Promise<void>

/** What an upload says beside its file. */
export type UploadForm = Readonly<{
  documentType: string | undefined
  fileName: string | undefined
  faults: Details
}>
