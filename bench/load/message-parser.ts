const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: *(\d+)/i

/**
 * Parses HTTP/1.1 messages with `Content-Length` from one connection.
 * @param take gets each whole message; the body begins at `bodyAt`. The bytes are valid during the call
 */
export const createMessageParser = (
  take: (message: Buffer, bodyAt: number) => void,
): ((chunk: Buffer) => void) => {
  let pending: Buffer | null = null
  /** The end of the first message, or null when it is incomplete. */
  const takeFirst = (bytes: Buffer): number | null => {
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0) return null
    const length = LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1]
    if (length === undefined) throw new Error('An HTTP message has no Content-Length')
    const bodyAt = headEnd + HEAD_END.length
    const end = bodyAt + Number(length)
    if (bytes.length < end) return null
    take(bytes.length === end ? bytes : bytes.subarray(0, end), bodyAt)
    return end
  }
  return (chunk) => {
    let bytes = pending === null ? chunk : Buffer.concat([pending, chunk])
    let end = takeFirst(bytes)
    while (end !== null && end < bytes.length) {
      bytes = bytes.subarray(end)
      end = takeFirst(bytes)
    }
    pending = end === null ? bytes : null
  }
}
