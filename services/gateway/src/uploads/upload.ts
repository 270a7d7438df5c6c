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
import { MAX_UPLOAD_BYTES, type TakeFile, type UploadForm } from './form.ts'
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

/** Tells a client that has its share of places when to ask again: an upload ends within seconds. */
const RETRY_SECONDS = 1

type Reader = (request: IncomingMessage, takeFile: TakeFile) => Promise<UploadForm>

const readerOf = (request: IncomingMessage): Reader | null => {
  if (isJson(request)) return readJsonUpload
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')
  return isForm && isIdentity(request) ? readMultipart : null
}

/** What is wrong with the body: its fields, and its file unless that could not even be decoded. */
const faultsOf = ({ faults }: UploadForm, { fault }: ReceivedFile) => {
  if (fault !== null && !faults.has(['content_base64'])) faults.add([fault.field], fault.reason)
  return faults
}

/** How an upload ends: its answer, and whether its bytes are, or may be, a document's by now. */
type Ending = Readonly<{ isKept: boolean; send: (exchange: Exchange) => void }>

/** Judges what has arrived and has the document written. */
const settle = async (
  form: UploadForm,
  received: ReceivedFile,
  service: DocumentService,
): Promise<Ending> => {
  const faults = faultsOf(form, received)
  const { refused, stored } = received
  if (!faults.isEmpty())
    return { isKept: false, send: (exchange) => sendError(exchange, 'invalid_request', faults.list()) }
  if (refused !== null)
    return { isKept: false, send: (exchange) => sendError(exchange, refused.code, refused.details) }
  if (stored === null) throw new Error('An upload without faults has stored nothing')
  const answer = await service.create(form, stored)
  if (answer.ok) return { isKept: true, send: (exchange) => sendData(exchange, 201, answer.data) }
  return {
    isKept: answer.code === 'internal_error',
    send: (exchange) => sendError(exchange, answer.code, answer.details),
  }
}

/**
 * Reads the body to its end and does what it asks for. Unless a document comes of it, or may have come of it, nothing
 * stays: the bytes are deleted before the answer, and by onboarding's sweep should this process die.
 */
const carryOut = async (exchange: Exchange, read: Reader, blobs: Blobs, service: DocumentService) => {
  const { received, take } = createFileReceiver({ blobs, begin: service.begin })
  let ending: Ending | null = null
  try {
    ending = await settle(await read(exchange.request, take), received, service)
  } finally {
    if (ending?.isKept !== true && received.blobKey !== null) await service.discard(received.blobKey)
  }
  ending.send(exchange)
}

const refuseFault = (exchange: Exchange, { why }: UploadFault): void => {
  if (why === 'gone') abandon(exchange)
  else if (why === 'too_large') sendEarly(exchange, 'payload_too_large')
  else sendEarly(exchange, 'invalid_request', [{ field: 'body', reason: 'invalid_value' }])
}

/** What is refused before any of the body is read; null when the refusal has been sent. */
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
 * Takes uploads of documents (decisions §6). The body is judged first, whole and alike whether or not the customer
 * exists; then the customer and its case; then the document's row is written.
 */
export const createUpload = (parts: UploadDependencies) => {
  const slots = createUploadSlots(parts.maxUploads)
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
      await carryOut(exchange, read, parts.blobs, documentServiceOf(parts, checked))
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      refuseFault(exchange, error)
    } finally {
      slot.release()
      // What nobody reads any more would hold up the connection, and with it the caller who is still sending.
      request.resume()
    }
  }
}
