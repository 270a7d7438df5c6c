import type { OutgoingBody } from './exchange.ts'

/** The bytes of a file. In browsers, which stream no request bodies over HTTP/1.1, a `Blob`; elsewhere any of them. */
export type FileSource =
  Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** A file to upload. A stream is sent as it is read and can be read once: hand in a function to have it retried. */
export type FileUpload<Fields> = Fields &
  Readonly<{ file: FileSource | (() => FileSource); file_name?: string }>

type Streamed = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

type Fields = Readonly<Record<string, string>>

const NEEDS_ESCAPE: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

const nameField = (name: string): string => name.replace(/["\r\n]/g, (found) => NEEDS_ESCAPE[found] ?? '')

async function* chunksOf(source: Streamed) {
  if (!('getReader' in source)) {
    yield* source
    return
  }
  const reader = source.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** A source that is being read; `close` ends that, and gives what it failed with. */
type Reading = Readonly<{ chunks: AsyncIterable<Uint8Array>; close: () => unknown }>

/**
 * Starts to read the first chunk immediately: a Node stream that fails without a reader, such as that of a missing file,
 * ends the process.
 */
const startReading = (source: Streamed): Reading => {
  const reading = chunksOf(source)
  let failure: unknown
  const read = () =>
    reading.next().catch((error: unknown) => {
      failure = error
      throw error
    })
  const first = read()
  first.catch(() => undefined)
  const chunks = async function* () {
    for (let next = await first; !next.done; next = await read()) yield next.value
  }
  const close = () => {
    reading.return().catch(() => undefined)
    return failure
  }
  return { chunks: chunks(), close }
}

/** A form with one file, written as its bytes arrive (RFC 7578). */
const streamedForm = (
  fields: Fields,
  boundary: string,
  { fileName, source }: Readonly<{ fileName: string; source: Reading }>,
): ReadableStream<Uint8Array> => {
  const text = new TextEncoder()
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const form = async function* () {
    for (const [name, value] of Object.entries(fields)) yield text.encode(`${part(name)}\r\n\r\n${value}\r\n`)
    const type = 'content-type: application/octet-stream'
    yield text.encode(`${part('file')}; filename="${nameField(fileName)}"\r\n${type}\r\n\r\n`)
    yield* source.chunks
    yield text.encode(`\r\n--${boundary}--\r\n`)
  }
  const chunks = form()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void source.close(),
  })
}

const isWhole = (source: FileSource): source is Blob | Uint8Array<ArrayBuffer> =>
  source instanceof Blob || source instanceof Uint8Array

const wholeForm = (fields: Fields, fileName: string, source: Blob | Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', source instanceof Blob ? source : new Blob([source]), fileName)
  return form
}

/** The multipart body of an upload, and whether it can be sent more than once. */
export const uploadBody = ({ file, file_name, ...rest }: FileUpload<object>) => {
  const fields = rest as Fields
  const start = (source: FileSource) => (isWhole(source) ? source : startReading(source))
  const opened = typeof file === 'function' ? file : start(file)
  return {
    isResendable: typeof file === 'function' || isWhole(file),
    body(): OutgoingBody {
      const source = typeof opened === 'function' ? start(opened()) : opened
      const fileName = file_name ?? ('name' in source ? String(source.name) : 'file')
      if (!('close' in source))
        return { init: { body: wholeForm(fields, fileName, source) }, contentType: null }
      const boundary = `causeway-${crypto.randomUUID()}`
      return {
        init: { body: streamedForm(fields, boundary, { fileName, source }), duplex: 'half' } as RequestInit,
        contentType: `multipart/form-data; boundary=${boundary}`,
        close: source.close,
      }
    },
  }
}
