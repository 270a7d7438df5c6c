import { relay, type Bus, type Clock, type Logger, type RelayedReply } from '@causeway/chassis'
import { documents, type Operation } from '@causeway/contracts'
import type { UploadForm } from './form.ts'
import { cleanFileName } from './file-name.ts'
import type { StoredFile } from './file-receiver.ts'

export type DocumentServiceDependencies = Readonly<{ bus: Bus; clock: Clock; log: Logger; timeoutMs: number }>

/** Onboarding's operations for the upload of one request. */
export type DocumentService = Readonly<{
  /** Checks that the customer may upload now. The reply has the key under which the bytes are stored. */
  createUpload: () => Promise<RelayedReply>
  /** Writes the document's row, which ends the upload. */
  createDocument: (form: UploadForm, stored: StoredFile) => Promise<RelayedReply>
  /** Has the stored bytes deleted; if that fails, onboarding's sweep deletes them later. */
  deleteUpload: (blobKey: string) => Promise<void>
}>

/** For whom, and for which customer, a document is uploaded. */
export type DocumentCall = Readonly<{ requestId: string; callerJson: string; paramsJson: string | undefined }>

export const documentServiceOf = (
  dependencies: DocumentServiceDependencies,
  { requestId, callerJson, paramsJson }: DocumentCall,
): DocumentService => {
  const { bus, clock, log, timeoutMs } = dependencies

  const ask = (operation: Operation, safe: boolean, body?: unknown): Promise<RelayedReply> =>
    relay(bus, clock, operation.subject, {
      requestId,
      callerJson,
      timeoutMs,
      safe,
      paramsJson,
      bodyJson: body === undefined ? undefined : JSON.stringify(body),
    })

  return {
    // Safe to repeat: onboarding sweeps uploads that were created and never finished.
    createUpload: () => ask(documents.createUpload, true),
    createDocument: (form, stored) =>
      ask(documents.create, false, {
        ...stored,
        document_type: form.documentType,
        file_name: cleanFileName(form.fileName ?? '', stored.mime_type),
      }),
    async deleteUpload(blobKey) {
      const answer = await ask(documents.deleteUpload, true, { blob_key: blobKey })
      if (!answer.ok)
        log.warn(
          { event: 'upload.discard_failed', requestId, code: answer.code },
          'The bytes of a failed upload were not deleted; the sweep deletes them later',
        )
    },
  }
}
