import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { isIdentity } from '../http/body.ts'
import { UploadFault } from './fault.ts'

const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 1_000,
  fields: 20,
  files: 5,
  parts: 25,
  headerPairs: 20,
  headerSize: 16_384,
}

/** How the parts of a form are received. */
export type FormParts = Readonly<{
  /** Largest file. A larger one ends after one more byte, so that its receiver recognises it. */
  maxFileBytes: number
  /** Largest body. */
  maxBytes: number
  onField: (name: string, value: string) => void
  /** Receives one file of the form to its end; null for a file that is not read. */
  onFile: (name: string, bytes: Readable, fileName: string) => Promise<void> | null
}>

/** Checks whether the headers announce a form with files, without a content coding. */
export const isMultipart = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '') && isIdentity(request)

/** A part may have no name, whatever the parser's types say; the fault is then one of the whole body. */
const nameOf = (given: string | undefined): string => (given === undefined || given === '' ? 'body' : given)

const open = (request: IncomingMessage, maxFileBytes: number) => {
  try {
    const limits = { ...LIMITS, fileSize: maxFileBytes + 1 }
    return new Busboy({ headers: request.headers as BusboyHeaders, limits })
  } catch {
    // The boundary is missing or invalid.
    throw new UploadFault('malformed')
  }
}

/**
 * Reads the parts of a form with a file (RFC 7578), in any order; the file is received as it arrives, with backpressure.
 * @throws UploadFault, and whatever `onFile` rejects with
 */
export const readFormParts = async (
  request: IncomingMessage,
  { maxFileBytes, maxBytes, onField, onFile }: FormParts,
): Promise<void> => {
  const busboy = open(request, maxFileBytes)
  const file: { stream: Readable | null; received: Promise<void> | null } = { stream: null, received: null }
  busboy.on('field', (given, value) => onField(nameOf(given), value))
  const allParts = new Promise<void>((resolve, reject) => {
    const fail = (fault: Error) => {
      request.unpipe(busboy)
      file.stream?.destroy(fault)
      reject(fault)
    }
    busboy.on('file', (given, stream, fileName) => {
      stream.on('error', () => {})
      const received = onFile(nameOf(given), stream, fileName)
      if (received === null) {
        stream.resume()
        return
      }
      file.stream = stream
      file.received = received
      received.catch(fail)
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
      if (length > maxBytes) fail(new UploadFault('too_large'))
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
}
