import { relay, type Blobs, type Bus, type Clock } from '@causeway/chassis'
import { agreements, documents, type Operation } from '@causeway/contracts'
import { create as contentDisposition } from 'content-disposition'
import type { z } from 'zod'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import { send, sendError, sendStream, type Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import type { PublicRoute } from '../http/route.ts'
import { FILE_SECURITY, type FlatHeaders } from '../http/security-headers.ts'

export type FileRoutesOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number; blobs: Blobs }>

/** What is published under a hash never changes. */
const PUBLISHED_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=31536000, immutable']

/** Asks for what a public path names; null when the refusal has been sent. */
const ask = async <O extends Operation>(
  options: FileRoutesOptions,
  exchange: Exchange,
  operation: O,
  names: readonly string[],
  values: readonly string[],
): Promise<z.output<O['reply']> | null> => {
  const paramsJson = paramsJsonOf(names, values)
  if (typeof paramsJson !== 'string') {
    sendError(exchange, 'resource_not_found')
    return null
  }
  const answer = await relay(options.bus, options.clock, operation.subject, {
    requestId: exchange.requestId,
    callerJson: PUBLIC_CALLER_JSON,
    timeoutMs: options.timeoutMs,
    safe: true,
    paramsJson,
  })
  if (!answer.ok) {
    sendError(exchange, answer.code, answer.details)
    return null
  }
  return operation.reply.parse(JSON.parse(Buffer.from(answer.data).toString('utf8'))) as z.output<O['reply']>
}

const sendAgreement = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const found = await ask(options, exchange, agreements.getDocument, ['agreementId', 'contentHash'], values)
  if (found === null) return
  send(exchange, {
    status: 200,
    type: found.content_type,
    bytes: Buffer.from(found.content_base64, 'base64'),
    headers: PUBLISHED_CACHE,
    security: FILE_SECURITY,
  })
}

const sendDocument = async (options: FileRoutesOptions, exchange: Exchange, values: readonly string[]) => {
  const found = await ask(options, exchange, documents.getDownload, ['token'], values)
  if (found === null) return
  const bytes = await options.blobs.read(found.blob_key, found.blob_secret)
  if (bytes === null) throw new Error('The bytes of a document are gone')
  await sendStream(exchange, {
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
}

/** Files that need no credential: published agreements, and documents by a short-lived URL (decisions §5 and §6). */
export const fileRoutes = (options: FileRoutesOptions): readonly PublicRoute[] => [
  {
    kind: 'public',
    method: 'GET',
    path: '/agreements/:agreementId/:contentHash',
    handle: (exchange, values) => sendAgreement(options, exchange, values),
  },
  {
    kind: 'public',
    method: 'GET',
    path: '/downloads/:token',
    handle: (exchange, values) => sendDocument(options, exchange, values),
  },
]
