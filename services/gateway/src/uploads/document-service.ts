import { relay, type Bus, type Clock, type Logger, type RelayedReply } from '@causeway/chassis'
import { documents, type Operation } from '@causeway/contracts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import type { UploadForm } from './form.ts'
import { cleanFileName } from './file-name.ts'
import type { StoredFile } from './file-receiver.ts'

export type DocumentServiceDependencies = Readonly<{ bus: Bus; clock: Clock; log: Logger; timeoutMs: number }>

/** What the upload of one request asks of onboarding. */
export type DocumentService = Readonly<{
  /** Whether the customer may upload now, and where the bytes go. */
  begin: () => Promise<RelayedReply>
  /** Writes the document's row: the upload is over. */
  create: (form: UploadForm, stored: StoredFile) => Promise<RelayedReply>
  /** Has whatever is stored deleted; what fails here is left to onboarding's sweep. */
  discard: (blobKey: string) => Promise<void>
}>

export const documentServiceOf = (
  parts: DocumentServiceDependencies,
  checked: CheckedRequest,
): DocumentService => {
  const { bus, clock, log, timeoutMs } = parts
  const { requestId, identity, paramsJson } = checked

  const ask = (operation: Operation, safe: boolean, body?: unknown): Promise<RelayedReply> =>
    relay(bus, clock, operation.subject, {
      requestId,
      callerJson: identity.callerJson,
      timeoutMs,
      safe,
      paramsJson,
      bodyJson: body === undefined ? undefined : JSON.stringify(body),
    })

  return {
    // Safe to ask again: an upload that was begun and never heard of is swept.
    begin: () => ask(documents.createUpload, true),
    create: (form, stored) =>
      ask(documents.create, false, {
        ...stored,
        document_type: form.documentType,
        file_name: cleanFileName(form.fileName ?? '', stored.mime_type),
      }),
    async discard(blobKey) {
      const answer = await ask(documents.deleteUpload, true, { blob_key: blobKey })
      if (!answer.ok)
        log.warn(
          { event: 'upload.discard_failed', requestId, code: answer.code },
          'The bytes of a failed upload are left to the sweep',
        )
    },
  }
}
