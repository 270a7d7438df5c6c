import { addZodIssues, createDetails } from '@causeway/chassis'
import { DocumentUpload } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import { MAX_BODY_BYTES } from '../http/body.ts'
import { validateJson } from '../http/strict-json.ts'
import { streamJsonString } from './json-string-stream.ts'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type ReceiveFile, type UploadForm } from './form.ts'

const CONTENT_FIELD = 'content_base64'

/** The bytes of a body as they arrive. @throws UploadFault for one beyond a size, and when the caller hangs up */
export const readLimited = async function* (
  request: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let length = 0
  try {
    // Leaving the loop early must not close the connection: the answer is still to be sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw new UploadFault('too_large')
      yield chunk
    }
  } catch (error) {
    throw error instanceof UploadFault ? error : new UploadFault('aborted')
  }
}

/** Decodes base64 strictly, padding included (RFC 4648); after the first fault it only reads on to the end. */
export const decodeBase64 = async function* (
  characters: AsyncIterable<string>,
  onFault: () => void,
): AsyncGenerator<Buffer> {
  let remainder = ''
  let isEnded = false
  for await (const piece of characters) {
    const text = remainder + piece
    const whole = text.slice(0, text.length - (text.length % 4))
    remainder = text.slice(whole.length)
    if (whole === '') continue
    if (isEnded || !/^[A-Za-z0-9+/]*={0,2}$/.test(whole)) {
      isEnded = true
      remainder = ''
      onFault()
    } else {
      isEnded = whole.endsWith('=')
      yield Buffer.from(whole, 'base64')
    }
  }
  if (remainder !== '') onFault()
}

const BASE64 = { expected: 'base64 with padding, without line ends (RFC 4648)' }

const once = async function* (text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Reads an upload as JSON; the file in it is decoded and received as it arrives. The rest is validated as strictly as every
 * body.
 * @throws UploadFault, and whatever `receiveFile` throws
 */
export const readJsonUpload = async (
  request: IncomingMessage,
  receiveFile: ReceiveFile,
): Promise<UploadForm> => {
  const faults = createDetails()
  const state = { isReceived: false }
  const receive = async (characters: AsyncIterable<string>) => {
    state.isReceived = true
    await receiveFile(decodeBase64(characters, () => faults.add([CONTENT_FIELD], 'invalid_value', BASE64)))
  }
  const rest = await streamJsonString(readLimited(request, MAX_UPLOAD_BYTES), {
    key: CONTENT_FIELD,
    stream: receive,
    onKept: (bytes) => {
      if (bytes > MAX_BODY_BYTES) throw new UploadFault('too_large')
    },
  })
  const json = validateJson(rest)
  if (!json.ok) return { documentType: undefined, fileName: undefined, faults: json.details }
  const body: unknown = JSON.parse(json.text)
  const parsed = DocumentUpload.safeParse(body)
  if (!parsed.success) {
    addZodIssues(faults, parsed.error, body, DocumentUpload)
    return { documentType: undefined, fileName: undefined, faults }
  }
  // The value was not streamed, for example because its key has escapes; it is in the text, and small.
  if (!state.isReceived) await receive(once(parsed.data.content_base64))
  return { documentType: parsed.data.document_type, fileName: parsed.data.file_name, faults }
}
