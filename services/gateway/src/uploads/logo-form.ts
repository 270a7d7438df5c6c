import { MAX_LOGO_BYTES } from '@causeway/contracts'
import type { ReceivedLogo } from '@causeway/screens'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { UploadFault } from './fault.ts'
import { isMultipart, readFormParts } from './form-parts.ts'
import { createUploadSlots } from './slots.ts'

const FILE_FIELD = 'logo'
/** Room for the boundaries of a form. */
const MAX_FORM_BYTES = MAX_LOGO_BYTES + 16 * 1024
/** Forms whose images are in memory at the same time. */
const MAX_FORMS = 8

const faulty = (reason: string, expected: string): ReceivedLogo => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field: FILE_FIELD, reason, expected }],
})
const TOO_LONG = faulty('too_long', `an image of at most ${MAX_LOGO_BYTES / 1024} KiB`)
const MISSING = faulty('required', 'an image: choose a file')

/** Reads a file of at most {@link MAX_LOGO_BYTES}. @throws UploadFault when it is larger */
const collect = async (bytes: Readable): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_LOGO_BYTES) throw new UploadFault('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}

const readForm = async (request: IncomingMessage): Promise<ReceivedLogo> => {
  let image = Buffer.alloc(0)
  await readFormParts(request, {
    maxFileBytes: MAX_LOGO_BYTES,
    maxBytes: MAX_FORM_BYTES,
    onField: () => {},
    onFile: (name, bytes) =>
      name === FILE_FIELD && image.length === 0
        ? collect(bytes).then((read) => {
            image = Buffer.from(read)
          })
        : null,
  })
  return image.length === 0 ? MISSING : { ok: true, contentBase64: image.toString('base64') }
}

const answerOfFault = ({ why }: UploadFault): ReceivedLogo | null => {
  if (why === 'aborted') return null
  return why === 'too_large' ? TOO_LONG : MISSING
}

/** Receives the image of the logo form. @returns null when the browser hung up: nobody would read an answer */
export type ReceiveLogo = (
  request: IncomingMessage,
  client: string,
) => Promise<ReceivedLogo | 'rate_limited' | 'temporarily_unavailable' | null>

/** Creates the receiver of logo forms, which keeps each image in memory: it is small, and the body of one message. */
export const createLogoForms = (): ReceiveLogo => {
  const slots = createUploadSlots(MAX_FORMS)
  return async (request, client) => {
    if (!isMultipart(request)) return MISSING
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) return TOO_LONG
    const slot = slots.take(client)
    if (!slot.ok) return slot.why
    try {
      return await readForm(request)
    } catch (error) {
      if (!(error instanceof UploadFault)) throw error
      return answerOfFault(error)
    } finally {
      slot.release()
      // A body that is not read to its end would block the connection, and a browser that is still sending.
      request.resume()
    }
  }
}
