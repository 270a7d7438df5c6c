import { createDetails } from '@causeway/chassis'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { MAX_DOCUMENT_BYTES, UploadedDocumentType } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type TakeFile, type UploadForm } from './form.ts'

const TYPE_FIELD = 'document_type'
const FILE_FIELD = 'file'
/** One byte more than is allowed shows that there is more. */
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

/** A part may come without a name, whatever the parser's types say; what is wrong is then the body. */
const nameOf = (given: string | undefined): string => (given === undefined || given === '' ? 'body' : given)

const open = (request: IncomingMessage) => {
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: LIMITS })
  } catch {
    // No boundary is named, or one that is none.
    throw new UploadFault('malformed')
  }
}

/**
 * Reads a form of `document_type` and one `file` (RFC 7578), in any order; the file's bytes are handed on while they
 * arrive, no faster than they are taken.
 * @throws UploadFault, and whatever the taking of the file throws
 */
export const readMultipart = async (request: IncomingMessage, takeFile: TakeFile): Promise<UploadForm> => {
  const busboy = open(request)
  const faults = createDetails()
  const form: { documentType?: string; fileName?: string } = {}
  const file: { stream: Readable | null; taken: Promise<void> | null } = { stream: null, taken: null }

  busboy.on('field', (given, value) => {
    const name = nameOf(given)
    if (name !== TYPE_FIELD) {
      faults.add([name], name === FILE_FIELD ? 'invalid_type' : 'unknown_field')
      return
    }
    if (form.documentType !== undefined || !UploadedDocumentType.safeParse(value).success)
      faults.add([name], 'invalid_value')
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
      file.taken = takeFile(stream)
      file.taken.catch(fail)
    })
    busboy.on('error', () => fail(new UploadFault('malformed')))
    busboy.on('finish', resolve)
    request.on('error', () => fail(new UploadFault('gone')))
    request.on('close', () => {
      if (!request.complete) fail(new UploadFault('gone'))
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
    // Only when nobody stores anything any more can what was stored be deleted.
    await file.taken?.catch(() => {})
    throw fault
  }
  await file.taken
  if (form.documentType === undefined) faults.add([TYPE_FIELD], 'required')
  if (file.stream === null) faults.add([FILE_FIELD], 'required')
  return { documentType: form.documentType, fileName: form.fileName, faults }
}
