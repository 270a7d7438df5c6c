import type { Blobs } from '@causeway/chassis'
import type { IncomingMessage } from 'node:http'
import { announcesBody, isIdentity, isJson } from '../http/body.ts'
import { sendEarly } from '../http/early-answer.ts'
import { abandon, sendData, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import {
  documentServiceOf,
  type DocumentService,
  type DocumentServiceDependencies,
} from './document-service.ts'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type ReceiveFile, type UploadForm } from './form.ts'
import { createFileReceiver, type ReceivedFile } from './file-receiver.ts'
import { readJsonUpload } from './json-upload.ts'
import { readMultipart } from './multipart.ts'
import { createUploadSlots } from './slots.ts'

export type UploadDependencies = DocumentServiceDependencies &
  Readonly<{
    blobs: Blobs
    /** Most uploads at once: each holds a few chunks of its file, or with S3 all of it. */
    maxUploads: number
  }>

/** `Retry-After` of an upload that gets no slot: uploads end within seconds. */
const RETRY_SECONDS = 1

type Reader = (request: IncomingMessage, receiveFile: ReceiveFile) => Promise<UploadForm>

const readerOf = (request: IncomingMessage): Reader | null => {
  if (isJson(request)) return readJsonUpload
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')
  return isForm && isIdentity(request) ? readMultipart : null
}

/** The faults of the fields and of the file; the file's type is no fault where its base64 is invalid already. */
const faultsOf = ({ faults }: UploadForm, { fault }: ReceivedFile) => {
  if (fault !== null && !faults.has(['content_base64'])) faults.add([fault.field], fault.reason)
  return faults
}

/** The result of an upload: its answer, and whether the stored bytes belong, or may belong, to a document. */
type UploadResult = Readonly<{ isKept: boolean; send: (exchange: Exchange) => void }>

/** Validates the upload and creates the document. */
const createDocument = async (
  form: UploadForm,
  received: ReceivedFile,
  service: DocumentService,
): Promise<UploadResult> => {
  const faults = faultsOf(form, received)
  const { refused, stored } = received
  if (!faults.isEmpty())
    return { isKept: false, send: (exchange) => sendError(exchange, 'invalid_request', faults.list()) }
  if (refused !== null)
    return { isKept: false, send: (exchange) => sendError(exchange, refused.code, refused.details) }
  if (stored === null) throw new Error('An upload without faults has stored nothing')
  const answer = await service.createDocument(form, stored)
  if (answer.ok) return { isKept: true, send: (exchange) => sendData(exchange, 201, answer.data) }
  return {
    isKept: answer.code === 'internal_error',
    send: (exchange) => sendError(exchange, answer.code, answer.details),
  }
}

/**
 * Reads the body to its end, creates the document and answers. Unless a document was created, or may have been, the
 * stored bytes are deleted before the answer; if this process dies, onboarding's sweep deletes them.
 */
const receiveAndAnswer = async (exchange: Exchange, read: Reader, blobs: Blobs, service: DocumentService) => {
  const { received, receive } = createFileReceiver({ blobs, createUpload: service.createUpload })
  let result: UploadResult | null = null
  try {
    result = await createDocument(await read(exchange.request, receive), received, service)
  } finally {
    if (result?.isKept !== true && received.blobKey !== null) await service.deleteUpload(received.blobKey)
  }
  result.send(exchange)
}

const refuseFault = (exchange: Exchange, { why }: UploadFault): void => {
  if (why === 'aborted') abandon(exchange)
  else if (why === 'too_large') sendEarly(exchange, 'payload_too_large')
  else
    sendEarly(exchange, 'invalid_request', [
      { field: 'body', reason: 'invalid_value', expected: 'multipart/form-data (RFC 7578)' },
    ])
}

/** Checks the headers, before the body is read; null when the refusal has been sent. */
const prepare = (exchange: Exchange): Reader | null => {
  const { request } = exchange
  const read = readerOf(request)
  if (!announcesBody(request)) {
    const missing = ['document_type', 'file'].map((field) => ({ field, reason: 'required' }))
    sendError(exchange, 'invalid_request', missing)
    return null
  }
  if (read === null) sendEarly(exchange, 'unsupported_media_type')
  else if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES)
    sendEarly(exchange, 'payload_too_large')
  else return read
  return null
}

/**
 * Receives uploads of documents (decisions §6). The whole body is validated first, in the same way whether or not the
 * customer exists; then the customer and its case are checked; then the document is created.
 */
export const createUpload = (dependencies: UploadDependencies) => {
  const slots = createUploadSlots(dependencies.maxUploads)
  return async (exchange: Exchange, checked: CheckedRequest): Promise<void> => {
    const { request, response } = exchange
    const read = prepare(exchange)
    if (read === null) return
    const slot = slots.take(checked.identity.client)
    if (!slot.ok) {
      sendEarly(exchange, slot.why, undefined, ['Retry-After', RETRY_SECONDS])
      return
    }
    if (request.headers.expect !== undefined) response.writeContinue()
    try {
      await receiveAndAnswer(exchange, read, dependencies.blobs, documentServiceOf(dependencies, checked))
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      refuseFault(exchange, error)
    } finally {
      slot.release()
      // A body that is not read to its end would block the connection, and a caller that is still sending.
      request.resume()
    }
  }
}
