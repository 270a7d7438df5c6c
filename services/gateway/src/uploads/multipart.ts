import { createDetails } from '@causeway/chassis'
import { MAX_DOCUMENT_BYTES, UploadedDocumentType } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import { MAX_UPLOAD_BYTES, type ReceiveFile, type UploadForm } from './form.ts'
import { readFormParts } from './form-parts.ts'

const TYPE_FIELD = 'document_type'
const FILE_FIELD = 'file'

/**
 * Reads a form of `document_type` and one `file`.
 * @throws UploadFault, and whatever `receiveFile` throws
 */
export const readMultipart = async (
  request: IncomingMessage,
  receiveFile: ReceiveFile,
): Promise<UploadForm> => {
  const faults = createDetails()
  const form: { documentType?: string; fileName?: string; hasFile: boolean } = { hasFile: false }
  await readFormParts(request, {
    maxFileBytes: MAX_DOCUMENT_BYTES,
    maxBytes: MAX_UPLOAD_BYTES,
    onField(name, value) {
      if (name !== TYPE_FIELD) {
        faults.add([name], name === FILE_FIELD ? 'invalid_type' : 'unknown_field')
        return
      }
      if (form.documentType !== undefined) faults.add([name], 'invalid_value', { expected: 'one part' })
      else if (!UploadedDocumentType.safeParse(value).success)
        faults.add([name], 'invalid_value', { allowed: UploadedDocumentType.options })
      form.documentType ??= value
    },
    onFile(name, bytes, fileName) {
      if (name !== FILE_FIELD || form.hasFile) {
        faults.add([name], name === FILE_FIELD ? 'too_many' : 'unknown_field')
        return null
      }
      form.hasFile = true
      form.fileName = fileName
      return receiveFile(bytes)
    },
  })
  if (form.documentType === undefined) faults.add([TYPE_FIELD], 'required')
  if (!form.hasFile) faults.add([FILE_FIELD], 'required')
  return { documentType: form.documentType, fileName: form.fileName, faults }
}
