import { createDetails } from '@causeway/chassis'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { MAX_DOCUMENT_BYTES, UploadedDocumentType } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type ReceiveFile, type UploadForm } from './form.ts'

const TYPE_FIELD = 'document_type'
const FILE_FIELD = 'file'
/** `fileSize` is one byte over the limit, so that a larger file is recognised. */
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 1_000,
  fields: 20,
  files: 5,
  fileSize: MAX_DOCUMENT_BYTES + 1,
  parts: 25,
  headerPairs: 20,
  headerSize: 16_384,
}

/** A part may have no name, whatever the parser's types say; the fault is then one of the whole body. */
const nameOf = (given: string | undefined): string => (given === undefined || given === '' ? 'body' : given)

const open = (request: IncomingMessage) => {
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: LIMITS })
  } catch {
    // The boundary is missing or invalid.
    throw new UploadFault('malformed')
  }
}

/**
 * Reads a form of `document_type` and one `file` (RFC 7578), in any order; the file is received as it arrives, with
 * backpressure.
 * @throws UploadFault, and whatever `receiveFile` throws
 */
export const readMultipart = async (
  request: IncomingMessage,
  receiveFile: ReceiveFile,
): Promise<UploadForm> => {
  const busboy = open(request)
  const faults = createDetails()
  const form: { documentType?: string; fileName?: string } = {}
  const file: { stream: Readable | null; received: Promise<void> | null } = { stream: null, received: null }

  busboy.on('field', (given, value) => {
    const name = nameOf(given)
    if (name !== TYPE_FIELD) {
      faults.add([name], name === FILE_FIELD ? 'invalid_type' : 'unknown_field')
      return
    }
    if (form.documentType !== undefined) faults.add([name], 'invalid_value', { expected: 'one part' })
    else if (!UploadedDocumentType.safeParse(value).success)
      faults.add([name], 'invalid_value', { allowed: UploadedDocumentType.options })
    form.documentType ??= value
  })
  const allParts = new Promise<void>((resolve, reject) => {
    const fail = (fault: Error) => {
      request.unpipe(busboy)
      file.stream?.destroy(fault)
      reject(fault)
    }
    busboy.on('file', (given, stream, fileName) => {
      const name = nameOf(given)
      stream.on('error', () => {})
      if (name !== FILE_FIELD || file.stream !== null) {
        faults.add([name], name === FILE_FIELD ? 'too_many' : 'unknown_field')
        stream.resume()
        return
      }
      form.fileName = fileName
      file.stream = stream
      file.received = receiveFile(stream)
      file.received.catch(fail)
    })
    busboy.on('error', () => fail(new UploadFault('malformed')))
    busboy.on('finish', resolve)
    request.on('error', () => fail(new UploadFault('aborted')))
    request.on('close', () => {
      if (!request.complete) fail(new UploadFault('aborted'))
    })
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MAX_UPLOAD_BYTES) fail(new UploadFault('too_large'))
    })
    request.pipe(busboy)
  })
  try {
    await allParts
  } catch (fault) {
    // The stored bytes can be deleted only once nothing is being written any more.
    await file.received?.catch(() => {})
    throw fault
  }
  await file.received
  if (form.documentType === undefined) faults.add([TYPE_FIELD], 'required')
  if (file.stream === null) faults.add([FILE_FIELD], 'required')
  return { documentType: form.documentType, fileName: form.fileName, faults }
}
