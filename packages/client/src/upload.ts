/** The bytes of a file. In browsers, which stream no request bodies over HTTP/1.1, a `Blob`; elsewhere any of them. */
export type FileSource =
  Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** A file to upload. A stream is sent as it is read and can be read once: hand in a function to have it retried. */
export type FileUpload<Fields> = Fields &
  Readonly<{ file: FileSource | (() => FileSource); file_name?: string }>

type Body = Readonly<{
  /** Null where the form sets its own. */
  contentType: string | null
  make: () => Pick<RequestInit, 'body'>
  /** Whether it can be sent more than once. */
  isResendable: boolean
}>

const NEEDS_ESCAPE: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

const nameField = (name: string): string => name.replace(/["\r\n]/g, (found) => NEEDS_ESCAPE[found] ?? '')

const isStream = (source: FileSource): source is ReadableStream<Uint8Array> => 'getReader' in source

async function* chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>) {
  if (!isStream(source)) {
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

/** A form with one file, written as its bytes arrive (RFC 7578). */
const streamedForm = (
  fields: Readonly<Record<string, string>>,
  {
    boundary,
    fileName,
    source,
  }: Readonly<{ boundary: string; fileName: string; source: AsyncIterable<Uint8Array> }>,
): ReadableStream<Uint8Array> => {
  const text = new TextEncoder()
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const form = async function* () {
    for (const [name, value] of Object.entries(fields)) yield text.encode(`${part(name)}\r\n\r\n${value}\r\n`)
    const type = 'content-type: application/octet-stream'
    yield text.encode(`${part('file')}; filename="${nameField(fileName)}"\r\n${type}\r\n\r\n`)
    yield* source
    yield text.encode(`\r\n--${boundary}--\r\n`)
  }
  const chunks = form()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
}

/** The multipart body of an upload. */
export const uploadBody = ({ file, file_name, ...rest }: FileUpload<object>): Body => {
  const fields = rest as Readonly<Record<string, string>>
  const fileName = file_name ?? (file instanceof Blob && 'name' in file ? String(file.name) : 'file')
  const boundary = `causeway-${crypto.randomUUID()}`
  const first = typeof file === 'function' ? file() : file
  let isFirst = true
  const next = (): FileSource => {
    const source = isFirst || typeof file !== 'function' ? first : file()
    isFirst = false
    return source
  }
  const isWhole = first instanceof Blob || first instanceof Uint8Array
  return {
    contentType: isWhole ? null : `multipart/form-data; boundary=${boundary}`,
    isResendable: isWhole || typeof file === 'function',
    make() {
      const source = next()
      if (source instanceof Blob || source instanceof Uint8Array) {
        const form = new FormData()
        for (const [name, value] of Object.entries(fields)) form.append(name, value)
        form.append('file', source instanceof Blob ? source : new Blob([source]), fileName)
        return { body: form }
      }
      const body = streamedForm(fields, { boundary, fileName, source: chunksOf(source) })
      return { body, duplex: 'half' } as Pick<RequestInit, 'body'>
    },
  }
}
