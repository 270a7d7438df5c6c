import { relay, sealBlob, type Bus, type Clock } from '@causeway/chassis'
import { importFiles, IMPORT_PART_BYTES, MAX_IMPORT_BYTES } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { sizeDetails, type JsonBody, type TextField } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import { UploadFault } from './fault.ts'
import { readLimited } from './json-upload.ts'
import { createUploadSlots, type NoSlot, type Slot } from './slots.ts'

/** Concurrent files in this process: each takes up to 1 MiB of memory while it arrives. */
const MAX_FILES = 8
const KEY_BYTES = 16

type Dependencies = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

/** Who sends a file, and with which request. */
export type ImportCall = Readonly<{ requestId: string; callerJson: string }>

/** Where a file is stored, and its key. */
export type StoredImport = Readonly<{ blob_key: string; blob_secret: string }>

/** Stores files of imports, from the API and from forms. */
export type ImportStore = Readonly<{
  /** Takes a slot, before the first byte is read. */
  take: (client: string) => Slot | Readonly<{ ok: false; why: NoSlot }>
  /** @returns null when the ledger did not store a part */
  write: (call: ImportCall, bytes: AsyncIterable<Buffer>) => Promise<StoredImport | null>
}>

const TOO_LARGE: JsonBody = {
  ok: false,
  code: 'payload_too_large',
  details: sizeDetails(MAX_IMPORT_BYTES, ' in a file'),
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
  { requestId, callerJson }: ImportCall,
  bytes: AsyncIterable<Buffer>,
): Promise<StoredImport | null> => {
  const { secret, sealed } = sealBlob(bytes)
  const key = randomBytes(KEY_BYTES).toString('hex')
  let part = 0
  for await (const piece of inParts(sealed)) {
    const bodyJson = JSON.stringify({ blob_key: key, part, content_base64: piece.toString('base64') })
    // Safe to repeat: a part that is stored stays as it is.
    const call = { requestId, callerJson, timeoutMs, safe: true, bodyJson }
    const answer = await relay(bus, clock, importFiles.addPart.subject, call)
    if (!answer.ok) return null
    part += 1
  }
  return { blob_key: key, blob_secret: secret }
}

/**
 * Stores files that no message of the bus holds: encrypts each while it arrives, and has the ledger store it part by part.
 * The body of the operation then names it. What is stored of a file that does not arrive whole is purged.
 */
export const createImportStore = (dependencies: Dependencies): ImportStore => {
  const slots = createUploadSlots(MAX_FILES)
  return { take: slots.take, write: (call, bytes) => storeFile(dependencies, call, bytes) }
}

/** Receives a file that is the body of a request of the API. */
export const createImportReceiver =
  (store: ImportStore) =>
  async (exchange: Exchange, { requestId, identity }: CheckedRequest, type: TextField): Promise<JsonBody> => {
    const { request, response } = exchange
    if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) return TOO_LARGE
    const slot = store.take(identity.client)
    if (!slot.ok) return { ok: false, code: slot.why }
    if (request.headers.expect !== undefined) response.writeContinue()
    try {
      const { callerJson } = identity
      const stored = await store.write({ requestId, callerJson }, readLimited(request, MAX_IMPORT_BYTES))
      if (stored === null) return { ok: false, code: 'temporarily_unavailable' }
      return { ok: true, text: JSON.stringify({ file: { type, ...stored } }) }
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      return error.why === 'aborted' ? { ok: false, code: 'aborted' } : TOO_LARGE
    } finally {
      slot.release()
    }
  }
