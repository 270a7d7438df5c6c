import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { NotDoneError } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'
import { createBodyMemory } from './body-memory.ts'
import { validateJson } from './strict-json.ts'

/** Largest JSON or form body (decisions §1). */
export const MAX_BODY_BYTES = 256 * 1024
/** Memory limit of arriving bodies in one process: 256 of the largest. */
const ARRIVING_BYTES = 64 * 1_048_576

const arriving = createBodyMemory(ARRIVING_BYTES)

/** The bytes of a body, null for none, or why it was not read. `aborted`: the caller hung up before it was complete. */
export type RawBody = Readonly<
  { ok: true; bytes: Buffer | null } | { ok: false; why: 'too_large' | 'aborted' }
>

/** Checks whether a body may be larger than {@link MAX_BODY_BYTES}. */
export const mayBeLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES

/** Checks whether the request announces a body that is not empty (RFC 9112 §6.3). */
export const announcesBody = (request: IncomingMessage): boolean => {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
}

/**
 * Reads at most {@link MAX_BODY_BYTES}; a larger body is refused by its Content-Length, or at the first byte too many.
 * @throws NotDoneError when it makes room for others, because it has been arriving for longer than they have
 */
export const readBody = (request: IncomingMessage, response: { writeContinue(): void }): Promise<RawBody> => {
  if (!announcesBody(request)) return Promise.resolve({ ok: true, bytes: null })
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    return Promise.resolve({ ok: false, why: 'too_large' })
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const memory = arriving.open(() => {
      stop()
      reject(new NotDoneError('The bodies that are arriving occupy more memory than they may'))
    })
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
      chunks.length = 0
      memory.release()
    }
    const finish = (body: RawBody) => {
      stop()
      resolve(body)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BODY_BYTES) {
        finish({ ok: false, why: 'too_large' })
        return
      }
      chunks.push(chunk)
      memory.grow(chunk.length)
    }
    const onEnd = () => finish({ ok: true, bytes: size === 0 ? null : Buffer.concat(chunks, size) })
    const onAborted = () => finish({ ok: false, why: 'aborted' })
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)
  })
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Checks whether the body has no content coding, such as gzip. */
export const isIdentity = (request: IncomingMessage): boolean =>
  /^(identity)?$/i.test(request.headers['content-encoding'] ?? '')

/** Checks whether the headers announce plain JSON in UTF-8: no other type or charset, and no content coding. */
export const isJson = (request: IncomingMessage): boolean =>
  JSON_TYPE.test(request.headers['content-type'] ?? '') && isIdentity(request)

/** The text of a JSON body, undefined for no body, or the refusal. */
export type JsonBody = Readonly<
  | { ok: true; text: string | undefined }
  | {
      ok: false
      code:
        | 'invalid_request'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'rate_limited'
        | 'temporarily_unavailable'
      details?: readonly ErrorDetail[]
    }
  | { ok: false; code: 'aborted' }
>

/** Names the limit of a body that is too large. */
export const sizeDetails = (maxBytes: number, of = ''): readonly ErrorDetail[] => {
  const size = maxBytes < 1_048_576 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1_048_576} MiB`
  return [{ field: 'body', reason: 'too_big', expected: `at most ${size}${of}` }]
}
const TOO_LARGE: JsonBody = { ok: false, code: 'payload_too_large', details: sizeDetails(MAX_BODY_BYTES) }

/** Refuses a body that was not read to its end. */
const refuseUnread = (why: 'too_large' | 'aborted'): JsonBody =>
  why === 'aborted' ? { ok: false, code: 'aborted' } : TOO_LARGE

/** Names the content types of a body. @param types names of the types that the operation takes */
export const typeDetails = (types: readonly string[]): readonly ErrorDetail[] => [
  {
    field: 'Content-Type',
    reason: 'unsupported_type',
    expected: `${types.join(' or ')} in UTF-8, without a content coding`,
  },
]
const NO_JSON: JsonBody = {
  ok: false,
  code: 'unsupported_media_type',
  details: typeDetails(['application/json']),
}

/** Reads a JSON body and validates it (see strict-json.ts). */
export const readJson = async (
  request: IncomingMessage,
  response: { writeContinue(): void },
): Promise<JsonBody> => {
  if (announcesBody(request) && !isJson(request)) return NO_JSON
  const body = await readBody(request, response)
  if (!body.ok) return refuseUnread(body.why)
  if (body.bytes === null) return { ok: true, text: undefined }
  const json = validateJson(body.bytes)
  return json.ok ? json : { ok: false, code: 'invalid_request', details: json.details.list() }
}

const CSV_TYPE = /^text\/csv\s*(;\s*(charset\s*=\s*"?utf-8"?|header\s*=\s*present)\s*)*$/i
const XML_TYPE = /^(application|text)\/xml\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Files in the body, by the field in which the operation gets their text. */
const TEXT_TYPES = {
  csv: { pattern: CSV_TYPE, name: 'text/csv' },
  xml: { pattern: XML_TYPE, name: 'application/xml' },
} as const
export type TextField = keyof typeof TEXT_TYPES

const EXPECTED_TEXT = 'UTF-8 without control characters other than tabs and line ends'

/** Allows no control characters but tab and line ends (RFC 4180 §2 allows fewer): each takes six bytes in JSON. */
const isText = (bytes: Buffer): boolean =>
  isUtf8(bytes) && bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)

/** The field of a file in the body by its content type; undefined for a type that is not one of them, or with a coding. */
export const textFieldOf = (
  request: IncomingMessage,
  fields: readonly TextField[],
): TextField | undefined => {
  const type = request.headers['content-type'] ?? ''
  return isIdentity(request) ? fields.find((each) => TEXT_TYPES[each].pattern.test(type)) : undefined
}

/** Refuses a body that is no file of one of the types. */
export const refuseType = (fields: readonly TextField[]): JsonBody => ({
  ok: false,
  code: 'unsupported_media_type',
  details: typeDetails(fields.map((each) => TEXT_TYPES[each].name)),
})

/** Reads a CSV (RFC 4180) or XML body and wraps it in JSON: `{"csv": "<the text>"}`. */
export const readText = async (
  request: IncomingMessage,
  response: { writeContinue(): void },
  field: TextField,
): Promise<JsonBody> => {
  const body = await readBody(request, response)
  if (!body.ok) return refuseUnread(body.why)
  const bytes = body.bytes ?? Buffer.alloc(0)
  if (isText(bytes)) return { ok: true, text: JSON.stringify({ [field]: bytes.toString('utf8') }) }
  const details = [{ field, reason: 'invalid_value', expected: EXPECTED_TEXT } as const]
  return { ok: false, code: 'invalid_request', details }
}
