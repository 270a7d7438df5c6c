import { createDetails, NotDoneError } from '@causeway/chassis'
import { MAX_IMPORT_BYTES, type ErrorCode } from '@causeway/contracts'
import type { UploadedFile } from '@causeway/screens'
import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../http/exchange.ts'
import { UploadFault } from './fault.ts'
import { isMultipart, readFormParts } from './form-parts.ts'
import type { ImportCall, ImportStore, StoredImport } from './import-file.ts'

const FILE_FIELD = 'file'
/** Room for the other fields and the boundaries of a form. */
const MAX_FORM_BYTES = MAX_IMPORT_BYTES + 64 * 1024

/** A form with the file of an import. */
export type ImportForm = Readonly<{
  /** The fields except for the file. */
  fields: URLSearchParams
  uploaded: UploadedFile
  /** True if the body may still be arriving. */
  isEarly: boolean
}>

const NO_FIELDS = new URLSearchParams()

const refusedEarly = (code: ErrorCode): ImportForm => ({
  fields: NO_FIELDS,
  uploaded: { ok: false, code },
  isEarly: true,
})

/** How a file begins: its first character except for white space and a byte order mark, and whether it has a byte. */
type Beginning = { first: string | null; isEmpty: boolean }

/** Reads how a file begins as it passes. @throws UploadFault when it is too large */
const observed = async function* (
  bytes: AsyncIterable<Buffer>,
  beginning: Beginning,
): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > MAX_IMPORT_BYTES) throw new UploadFault('too_large')
    if (piece.length > 0) beginning.isEmpty = false
    beginning.first ??= /[^\s\u00ef\u00bb\u00bf]/.exec(piece.toString('latin1'))?.[0] ?? null
    yield piece
  }
}

type Write = (bytes: AsyncIterable<Buffer>) => Promise<StoredImport | null>

/** A document begins with `<`; anything else is read as CSV, and refused if it is not. */
const typeOf = ({ first }: Beginning) => (first === '<' ? ('xml' as const) : ('csv' as const))

const readImportForm = async (request: IncomingMessage, write: Write): Promise<ImportForm> => {
  const fields = new URLSearchParams()
  const faults = createDetails()
  const beginning: Beginning = { first: null, isEmpty: true }
  const file: { isFound: boolean; name: string; stored: StoredImport | null } = {
    isFound: false,
    name: '',
    stored: null,
  }
  await readFormParts(request, {
    maxFileBytes: MAX_IMPORT_BYTES,
    maxBytes: MAX_FORM_BYTES,
    onField: (name, value) => fields.append(name, value),
    onFile(name, bytes, fileName) {
      if (name !== FILE_FIELD || file.isFound) {
        faults.add([FILE_FIELD], 'too_many')
        return null
      }
      file.isFound = true
      file.name = fileName
      return write(observed(bytes, beginning)).then((stored) => {
        if (stored === null) throw new NotDoneError('The ledger did not store a part of a file')
        file.stored = stored
      })
    },
  })
  // A browser sends an empty part without a name if no file was chosen.
  if (!file.isFound || (beginning.isEmpty && file.name === '')) faults.add([FILE_FIELD], 'required')
  else if (beginning.isEmpty) faults.add([FILE_FIELD], 'too_small')
  const uploaded = (): UploadedFile => {
    if (!faults.isEmpty()) return { ok: false, code: 'invalid_request', details: faults.list() }
    if (file.stored === null) throw new Error('A form without faults has stored nothing')
    return { ok: true, file: { type: typeOf(beginning), ...file.stored } }
  }
  return { fields, uploaded: uploaded(), isEarly: false }
}

const formOfFault = ({ why }: UploadFault): ImportForm | null => {
  if (why === 'aborted') return null
  return refusedEarly(why === 'too_large' ? 'payload_too_large' : 'invalid_request')
}

/** Receives a form with the file of an import. @returns null when the browser hung up: nobody would read an answer */
export type ReceiveImportForm = (
  exchange: Pick<Exchange, 'request'>,
  call: ImportCall & Readonly<{ client: string }>,
) => Promise<ImportForm | null>

/** Receives forms with the bounds, and in the way, of files that the API receives. */
export const createImportForms =
  (store: ImportStore): ReceiveImportForm =>
  async ({ request }, { client, ...call }) => {
    if (!isMultipart(request)) return refusedEarly('unsupported_media_type')
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES)
      return refusedEarly('payload_too_large')
    const slot = store.take(client)
    if (!slot.ok) return refusedEarly(slot.why)
    try {
      return await readImportForm(request, (bytes) => store.write(call, bytes))
    } catch (error) {
      if (error instanceof NotDoneError) return refusedEarly('temporarily_unavailable')
      if (!(error instanceof UploadFault)) throw error
      return formOfFault(error)
    } finally {
      slot.release()
      // A body that is not read to its end would block the connection, and a browser that is still sending.
      request.resume()
    }
  }
