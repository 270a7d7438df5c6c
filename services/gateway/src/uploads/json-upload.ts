import { addZodIssues, createDetails } from '@causeway/chassis'
import { DocumentUpload } from '@causeway/contracts'
import type { IncomingMessage } from 'node:http'
import { MAX_BODY_BYTES } from '../http/body.ts'
import { judgeJson } from '../http/strict-json.ts'
import { streamJsonString } from './json-string-stream.ts'
import { UploadFault } from './fault.ts'
import { MAX_UPLOAD_BYTES, type TakeFile, type UploadForm } from './form.ts'

const CONTENT_FIELD = 'content_base64'

const counted = async function* (request: IncomingMessage): AsyncGenerator<Buffer> {
  let length = 0
  try {
    // Leaving the loop early must not end the connection: the answer goes out on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > MAX_UPLOAD_BYTES) throw new UploadFault('too_large')
      yield chunk
    }
  } catch (error) {
    throw error instanceof UploadFault ? error : new UploadFault('gone')
  }
}

/** Decodes RFC 4648 §4 strictly, padding included; from the first fault on it only reads to the end. */
export const decodeBase64 = async function* (
  characters: AsyncIterable<string>,
  onFault: () => void,
): AsyncGenerator<Buffer> {
  let held = ''
  let isOver = false
  for await (const piece of characters) {
    const text = held + piece
    const whole = text.slice(0, text.length - (text.length % 4))
    held = text.slice(whole.length)
    if (whole === '') continue
    if (isOver || !/^[A-Za-z0-9+/]*={0,2}$/.test(whole)) {
      isOver = true
      held = ''
      onFault()
    } else {
      isOver = whole.endsWith('=')
      yield Buffer.from(whole, 'base64')
    }
  }
  if (held !== '') onFault()
}

const once = async function* (text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Reads an upload as JSON; the file in it is decoded and handed on while it arrives. What remains is judged as
 * strictly as every body.
 * @throws UploadFault, and whatever the taking of the file throws
 */
export const readJsonUpload = async (request: IncomingMessage, takeFile: TakeFile): Promise<UploadForm> => {
  const faults = createDetails()
  const state = { isTaken: false }
  const take = async (characters: AsyncIterable<string>) => {
    state.isTaken = true
    await takeFile(decodeBase64(characters, () => faults.add([CONTENT_FIELD], 'invalid_value')))
  }
  const rest = await streamJsonString(counted(request), {
    key: CONTENT_FIELD,
    stream: take,
    onKept: (bytes) => {
      if (bytes > MAX_BODY_BYTES) throw new UploadFault('too_large')
    },
  })
  const judged = judgeJson(rest)
  if (!judged.ok) return { documentType: undefined, fileName: undefined, faults: judged.details }
  const body: unknown = JSON.parse(judged.text)
  const parsed = DocumentUpload.safeParse(body)
  if (!parsed.success) {
    addZodIssues(faults, parsed.error, body)
    return { documentType: undefined, fileName: undefined, faults }
  }
  // A key that is spelt with escapes, say: its value was kept, and is small.
  if (!state.isTaken) await take(once(parsed.data.content_base64))
  return { documentType: parsed.data.document_type, fileName: parsed.data.file_name, faults }
}
