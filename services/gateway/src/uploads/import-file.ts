import { relay, sealBlob, type Bus, type Clock } from '@causeway/chassis'
import { importFiles, IMPORT_PART_BYTES, MAX_IMPORT_BYTES } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import type { JsonBody, TextField } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import { UploadFault } from './fault.ts'
import { readLimited } from './json-upload.ts'
import { createUploadSlots } from './slots.ts'

/** Concurrent files in this process: each takes up to 1 MiB of memory while it arrives. */
const MAX_FILES = 8
const KEY_BYTES = 16

type Dependencies = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

const TOO_LARGE: JsonBody = {
  ok: false,
  code: 'payload_too_large',
  details: [
    { field: 'body', reason: 'too_big', expected: `at most ${MAX_IMPORT_BYTES / 1024 / 1024} MiB in a file` },
  ],
}

/** Joins encrypted chunks to parts that a message holds. */
const inParts = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length > IMPORT_PART_BYTES) {
      yield Buffer.concat(held, length)
      held = []
      length = 0
    }
    held.push(chunk)
    length += chunk.length
  }
  yield Buffer.concat(held, length)
}

const storeFile = async (
  { bus, clock, timeoutMs }: Dependencies,
  { request }: Pick<Exchange, 'request'>,
  { requestId, identity: { callerJson } }: CheckedRequest,
  type: TextField,
): Promise<JsonBody> => {
  const { secret, sealed } = sealBlob(readLimited(request, MAX_IMPORT_BYTES))
  const key = randomBytes(KEY_BYTES).toString('hex')
  let part = 0
  for await (const bytes of inParts(sealed)) {
    const bodyJson = JSON.stringify({ blob_key: key, part, content_base64: bytes.toString('base64') })
    // Safe to repeat: a part that is stored stays as it is.
    const call = { requestId, callerJson, timeoutMs, safe: true, bodyJson }
    const answer = await relay(bus, clock, importFiles.addPart.subject, call)
    if (!answer.ok) return { ok: false, code: 'temporarily_unavailable' }
    part += 1
  }
  return { ok: true, text: JSON.stringify({ file: { type, blob_key: key, blob_secret: secret } }) }
}

/**
 * Receives the file of an import that no message of the bus holds: encrypts it while it arrives, and has the ledger store it
 * part by part. The body of the operation then names it. What is stored of a file that does not arrive whole is purged.
 */
export const createImportReceiver = (dependencies: Dependencies) => {
  const slots = createUploadSlots(MAX_FILES)
  return async (exchange: Exchange, checked: CheckedRequest, type: TextField): Promise<JsonBody> => {
    const { request, response } = exchange
    if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) return TOO_LARGE
    const slot = slots.take(checked.identity.client)
    if (!slot.ok) return { ok: false, code: slot.why }
    if (request.headers.expect !== undefined) response.writeContinue()
    try {
      return await storeFile(dependencies, exchange, checked, type)
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      return error.why === 'aborted' ? { ok: false, code: 'aborted' } : TOO_LARGE
    } finally {
      slot.release()
    }
  }
}
