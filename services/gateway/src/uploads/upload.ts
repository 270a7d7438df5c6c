import type { Blobs } from '@causeway/chassis'
import { MAX_DOCUMENT_BYTES, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import { announcesBody, isJson, sizeDetails } from '../http/body.ts'
import { sendEarly } from '../http/early-answer.ts'
import { abandon, sendData, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { FlatHeaders } from '../http/security-headers.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import {
  documentServiceOf,
  type DocumentCall,
  type DocumentService,
  type DocumentServiceDependencies,
} from './document-service.ts'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type ReceiveFile, type UploadForm } from './form.ts'
import { isMultipart } from './form-parts.ts'
import { createFileReceiver, type ReceivedFile } from './file-receiver.ts'
import { readJsonUpload } from './json-upload.ts'
import { readMultipart } from './multipart.ts'
import { createUploadSlots } from './slots.ts'

export type UploadDependencies = DocumentServiceDependencies &
  Readonly<{
    blobs: Blobs
    /** Maximum concurrent uploads: each holds a few chunks of its file, or with S3 the whole file. */
    maxUploads: number
  }>

/** `Retry-After` of an upload that gets no slot: uploads end within seconds. */
const RETRY_SECONDS = 1

type Reader = (request: IncomingMessage, receiveFile: ReceiveFile) => Promise<UploadForm>

const readerOf = (request: IncomingMessage): Reader | null => {
  if (isJson(request)) return readJsonUpload
  return isMultipart(request) ? readMultipart : null
}

/** The faults of the fields and of the file; the file's type is no fault where its base64 is invalid already. */
const faultsOf = ({ faults }: UploadForm, { fault }: ReceivedFile) => {
  if (fault !== null && !faults.has(['content_base64'])) {
    const { field, reason, ...hint } = fault
    faults.add([field], reason, hint)
  }
  return faults
}

/** How an upload ended: with a document, as JSON of its operation's reply, or with a refusal. */
export type UploadOutcome =
  | Readonly<{ ok: true; data: Uint8Array }>
  | Readonly<{
      ok: false
      code: ErrorCode
      details?: readonly ErrorDetail[] | undefined
      /** True if the body may still be arriving when it is refused. */
      isEarly: boolean
      headers?: FlatHeaders
    }>

type Ended = Readonly<{
  outcome: UploadOutcome
  /** True if the stored bytes belong, or may belong, to a document. */
  isKept: boolean
}>

const refused = (code: ErrorCode, details?: readonly ErrorDetail[]): UploadOutcome => ({
  ok: false,
  code,
  details,
  isEarly: false,
})
const refusedEarly = (code: ErrorCode, details?: readonly ErrorDetail[]) =>
  ({ ok: false, code, details, isEarly: true }) as const

/** Validates the upload and creates the document. */
const createDocument = async (
  form: UploadForm,
  received: ReceivedFile,
  service: DocumentService,
): Promise<Ended> => {
  const faults = faultsOf(form, received)
  const { refused: refusal, stored } = received
  if (!faults.isEmpty()) return { isKept: false, outcome: refused('invalid_request', faults.list()) }
  if (refusal !== null) return { isKept: false, outcome: refused(refusal.code, refusal.details) }
  if (stored === null) throw new Error('An upload without faults has stored nothing')
  const answer = await service.createDocument(form, stored)
  if (answer.ok) return { isKept: true, outcome: { ok: true, data: answer.data } }
  return { isKept: answer.code === 'internal_error', outcome: refused(answer.code, answer.details) }
}

/**
 * Reads the body to its end and creates the document. Unless a document was created, or may have been, the stored bytes
 * are deleted before this returns; if this process dies, onboarding's sweep deletes them.
 */
const receiveDocument = async (
  request: IncomingMessage,
  read: Reader,
  blobs: Blobs,
  service: DocumentService,
): Promise<UploadOutcome> => {
  const { received, receive } = createFileReceiver({ blobs, createUpload: service.createUpload })
  let ended: Ended | null = null
  try {
    ended = await createDocument(await read(request, receive), received, service)
  } finally {
    if (ended?.isKept !== true && received.blobKey !== null) await service.deleteUpload(received.blobKey)
  }
  return ended.outcome
}

const TOO_LARGE = refusedEarly('payload_too_large', sizeDetails(MAX_DOCUMENT_BYTES, ' in a file'))
const WRONG_TYPE = refusedEarly('unsupported_media_type', [
  { field: 'Content-Type', reason: 'unsupported_type', expected: 'multipart/form-data or application/json' },
])

const outcomeOfFault = ({ why }: UploadFault): UploadOutcome | null => {
  if (why === 'aborted') return null
  return why === 'too_large'
    ? TOO_LARGE
    : refusedEarly('invalid_request', [
        { field: 'body', reason: 'invalid_value', expected: 'multipart/form-data (RFC 7578)' },
      ])
}

/** Checks the headers, before the body is read. */
const prepare = (request: IncomingMessage): Reader | UploadOutcome => {
  const read = readerOf(request)
  if (!announcesBody(request))
    return refused(
      'invalid_request',
      ['document_type', 'file'].map((field) => ({ field, reason: 'required' })),
    )
  if (read === null) return WRONG_TYPE
  return Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES ? TOO_LARGE : read
}

/** Receives one upload. @returns null when the caller hung up: nobody would read an answer */
export type Uploads = (
  exchange: Pick<Exchange, 'request' | 'response'>,
  call: DocumentCall & Readonly<{ client: string }>,
) => Promise<UploadOutcome | null>

/**
 * Receives uploads of documents (decisions §6), with the bounds that all of them share. The whole body is validated
 * first, in the same way whether or not the customer exists; then the customer and its case are checked; then the
 * document is created.
 */
export const createUploads = (dependencies: UploadDependencies): Uploads => {
  const slots = createUploadSlots(dependencies.maxUploads)
  return async ({ request, response }, call) => {
    const read = prepare(request)
    if (typeof read !== 'function') return read
    const slot = slots.take(call.client)
    if (!slot.ok) return { ...refusedEarly(slot.why), headers: ['Retry-After', RETRY_SECONDS] }
    if (request.headers.expect !== undefined) response.writeContinue()
    try {
      return await receiveDocument(request, read, dependencies.blobs, documentServiceOf(dependencies, call))
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      return outcomeOfFault(error)
    } finally {
      slot.release()
      // A body that is not read to its end would block the connection, and a caller that is still sending.
      request.resume()
    }
  }
}

/** Answers an upload of the API. */
export const createUpload =
  (uploads: Uploads) =>
  async (exchange: Exchange, { requestId, identity, paramsJson }: CheckedRequest): Promise<void> => {
    const { client, callerJson } = identity
    const outcome = await uploads(exchange, { client, callerJson, requestId, paramsJson })
    if (outcome === null) abandon(exchange)
    else if (outcome.ok) sendData(exchange, 201, outcome.data)
    else (outcome.isEarly ? sendEarly : sendError)(exchange, outcome.code, outcome.details, outcome.headers)
  }
