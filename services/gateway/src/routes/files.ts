import { call, relay, type Blobs, type Bus, type Clock } from '@causeway/chassis'
import {
  agreements,
  brands,
  cryptoOrders,
  documents,
  paymentFiles,
  reports,
  type Operation,
} from '@causeway/contracts'
import { filePaths } from '@causeway/contracts/http'
import { create as contentDisposition } from 'content-disposition'
import type { z } from 'zod'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import { send, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import { handlePaths } from '../http/public-path.ts'
import { sendStream } from '../http/streamed-answer.ts'
import { FILE_SECURITY, EMBEDDABLE_SECURITY, type FlatHeaders } from '../http/security-headers.ts'

type AskOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

export type FileRoutesOptions = AskOptions & Readonly<{ blobs: Blobs }>

const IMAGE_SUFFIX = '.png'
/** An order's QR image never changes. */
const IMAGE_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=86400, immutable']
/** A document published under its hash never changes. */
const PUBLISHED_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=31536000, immutable']

/**
 * Calls an operation of a service on behalf of a public caller.
 * @param params names and values of the operation's parameters
 * @returns null when the refusal has been sent
 */
const askService = async <O extends Operation>(
  { bus, clock, timeoutMs }: AskOptions,
  exchange: Exchange,
  operation: O,
  params: Readonly<{ names: readonly string[]; values: readonly string[] }>,
): Promise<z.output<O['reply']> | null> => {
  const answer = await relay(bus, clock, operation.subject, {
    requestId: exchange.requestId,
    callerJson: PUBLIC_CALLER_JSON,
    timeoutMs,
    safe: true,
    paramsJson: paramsJsonOf(params.names, params.values),
  })
  if (!answer.ok) {
    sendError(exchange, answer.code, answer.details)
    return null
  }
  return operation.reply.parse(JSON.parse(Buffer.from(answer.data).toString('utf8'))) as z.output<O['reply']>
}

const sendQrImage = async (options: FileRoutesOptions, exchange: Exchange, file: string): Promise<void> => {
  if (!file.endsWith(IMAGE_SUFFIX)) {
    sendError(exchange, 'resource_not_found')
    return
  }
  const params = { names: ['orderId'], values: [file.slice(0, -IMAGE_SUFFIX.length)] }
  const image = await askService(options, exchange, cryptoOrders.getQrImage, params)
  if (image === null) return
  send(exchange, {
    status: 200,
    type: image.content_type,
    bytes: Buffer.from(image.content_base64, 'base64'),
    headers: IMAGE_CACHE,
    security: EMBEDDABLE_SECURITY,
  })
}

const sendAgreement = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const params = { names: ['agreementId', 'contentHash'], values }
  const found = await askService(options, exchange, agreements.getDocument, params)
  if (found === null) return
  send(exchange, {
    status: 200,
    type: found.content_type,
    bytes: Buffer.from(found.content_base64, 'base64'),
    headers: PUBLISHED_CACHE,
    security: FILE_SECURITY,
  })
}

const sendLogo = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const found = await askService(options, exchange, brands.getLogo, { names: ['contentHash'], values })
  if (found === null) return
  send(exchange, {
    status: 200,
    type: 'image/png',
    bytes: Buffer.from(found.content_base64, 'base64'),
    headers: PUBLISHED_CACHE,
    security: EMBEDDABLE_SECURITY,
  })
}

type StoredDocument = z.output<(typeof documents)['getDownload']['reply']>

type FileDescription = Pick<StoredDocument, 'file_name' | 'file_size_bytes'> & Readonly<{ mime_type: string }>

/** Streams a file as an attachment that no page can run, and no cache keeps. */
const sendAttachment = (exchange: Exchange, found: FileDescription, bytes: AsyncGenerator<Buffer>) =>
  sendStream(exchange, {
    type: found.mime_type,
    length: found.file_size_bytes,
    bytes,
    headers: [
      'Cache-Control',
      'private, no-store',
      'Content-Disposition',
      contentDisposition(found.file_name, { type: 'attachment' }),
    ],
    security: FILE_SECURITY,
  })

export const sendDocumentFile = async (blobs: Blobs, exchange: Exchange, found: StoredDocument) => {
  const content = await blobs.read(found.blob_key, found.blob_secret)
  if (content === null) throw new Error('The bytes of a document are gone')
  await sendAttachment(exchange, found, content)
}

/** Reads the parts of a report one after the other, so that no more than one is in memory. */
const readParts = async function* (
  { bus, clock, timeoutMs }: AskOptions,
  { requestId }: Exchange,
  { token, parts }: Readonly<{ token: string; parts: number }>,
): AsyncGenerator<Buffer> {
  for (let part = 0; part < parts; part += 1) {
    const read = await call(bus, clock, reports.getPart, {
      ...{ requestId, timeoutMs, safe: true, caller: { kind: 'public' } },
      params: { token, part: String(part) },
    })
    if (!read.ok) throw new Error(`Part ${part} of a report is missing: ${read.code}`)
    yield Buffer.from(read.value.content_base64, 'base64')
  }
}

const sendReport = async (
  options: FileRoutesOptions,
  exchange: Exchange,
  [token = '']: readonly string[],
) => {
  const found = await askService(options, exchange, reports.getFile, { names: ['token'], values: [token] })
  if (found !== null)
    await sendAttachment(exchange, found, readParts(options, exchange, { token, parts: found.parts }))
}

const onePart = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const sendPaymentFile = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const found = await askService(options, exchange, paymentFiles.getFile, { names: ['token'], values })
  if (found !== null)
    await sendAttachment(exchange, found, onePart(Buffer.from(found.content_base64, 'base64')))
}

const sendDocument = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const found = await askService(options, exchange, documents.getDownload, { names: ['token'], values })
  if (found !== null) await sendDocumentFile(options.blobs, exchange, found)
}

export const fileRoutes = (options: FileRoutesOptions) =>
  handlePaths(filePaths, {
    qrImage: (exchange, [file = '']) => sendQrImage(options, exchange, file),
    agreement: (exchange, values) => sendAgreement(options, exchange, values),
    logo: (exchange, values) => sendLogo(options, exchange, values),
    document: (exchange, values) => sendDocument(options, exchange, values),
    report: (exchange, values) => sendReport(options, exchange, values),
    paymentFile: (exchange, values) => sendPaymentFile(options, exchange, values),
  })
