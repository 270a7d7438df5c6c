/** Enough for a key, its colon and the usual space around them. */
const TAIL_BYTES = 128

/** The last bytes that were kept. */
const tailOf = (kept: readonly Buffer[]): string => {
  const pieces: Buffer[] = []
  let length = 0
  for (let index = kept.length - 1; index >= 0 && length < TAIL_BYTES; index -= 1) {
    const piece = kept[index] as Buffer
    pieces.unshift(piece)
    length += piece.length
  }
  return Buffer.concat(pieces).subarray(-TAIL_BYTES).toString('latin1')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Replaces an escape that base64 cannot contain; not in the alphabet of base64, so that decoding fails. */
const INVALID = '!'

/** The character of a JSON escape (RFC 8259 §7), of those that base64 can contain. */
const unescaped = (escape: string): string => {
  if (escape === '/') return '/'
  const hex = /^u([0-9a-fA-F]{4})$/.exec(escape)?.[1]
  return hex === undefined ? INVALID : String.fromCharCode(Number.parseInt(hex, 16))
}

type Options = Readonly<{
  /** Key whose string value is streamed. */
  key: string
  /** Receives the unescaped characters of the value; called at most once, and reads them to their end. */
  stream: (characters: AsyncIterable<string>) => Promise<void>
  /** Called with the total length of the kept text, each time it grows. */
  onKept: (bytes: number) => void
}>

/**
 * Streams one long string of a JSON text as it arrives, so that it is never in memory as a whole.
 * @returns the rest of the text with `""` for that string. The caller validates it: only strings are recognised here
 */
export const streamJsonString = async (chunks: AsyncIterable<Buffer>, options: Options): Promise<Buffer> => {
  const beginsValue = new RegExp(`(?<!\\\\)"${options.key}"\\s*:\\s*"$`)
  const source = chunks[Symbol.asyncIterator]()
  const kept: Buffer[] = []
  let keptBytes = 0
  let chunk: Buffer = Buffer.alloc(0)
  let at = 0
  let isStreamed = false

  /** Waits for a byte at `at`; false at the end. */
  const more = async (): Promise<boolean> => {
    while (at >= chunk.length) {
      const next = await source.next()
      if (next.done === true) return false
      chunk = next.value
      at = 0
    }
    return true
  }
  const keepUntil = (end: number) => {
    kept.push(chunk.subarray(at, end))
    keptBytes += end - at
    at = end
    options.onKept(keptBytes)
  }
  /** Keeps the bytes up to and including the next unescaped quote; false at the end. */
  const keepPastQuote = async (): Promise<boolean> => {
    let isEscaped = false
    while (await more()) {
      for (let end = at; end < chunk.length; end += 1) {
        const byte = chunk[end]
        if (byte === QUOTE && !isEscaped) {
          keepUntil(end + 1)
          return true
        }
        isEscaped = byte === BACKSLASH && !isEscaped
      }
      keepUntil(chunk.length)
    }
    return false
  }
  const escape = async (): Promise<string> => {
    let text = ''
    while ((text === '' || (text.startsWith('u') && text.length < 5)) && (await more())) {
      text += String.fromCharCode(chunk[at] ?? 0)
      at += 1
    }
    return unescaped(text)
  }
  const characters = async function* (): AsyncGenerator<string> {
    while (await more()) {
      const rest = chunk.subarray(at)
      const quote = rest.indexOf(QUOTE)
      const plain = quote === -1 ? rest : rest.subarray(0, quote)
      const backslash = plain.indexOf(BACKSLASH)
      const taken = backslash === -1 ? plain : plain.subarray(0, backslash)
      at += taken.length
      if (taken.length > 0) yield taken.toString('latin1')
      if (backslash !== -1) {
        at += 1
        yield await escape()
      } else if (quote !== -1) return
    }
  }

  while (await keepPastQuote()) {
    // A string begins here.
    if (!isStreamed && beginsValue.test(tailOf(kept))) {
      isStreamed = true
      await options.stream(characters())
    }
    if (!(await keepPastQuote())) break
  }
  return Buffer.concat(kept, keptBytes)
}
