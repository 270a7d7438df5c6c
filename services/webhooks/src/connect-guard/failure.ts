/** A connect that the guard refused: the name resolves to an address that no delivery may reach. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/** The name did not resolve to any address. */
export class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError'
}

const KNOWN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ANSWER_MISSING: 'connection closed before an answer',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ANSWER_WITHOUT_END: 'answer without end',
  UND_ERR_HEADERS_OVERFLOW: 'answer headers too large',
  UND_ERR_SOCKET: 'connection closed before an answer',
}

type Fault = Readonly<{ name?: unknown; code?: unknown; message?: unknown }>

/** Checks whether undici found the response to violate HTTP/1.1, in its parser or in its checks of the parsed response. */
const isMalformed = ({ name, code, message }: Fault): boolean =>
  name === 'HTTPParserError' ||
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
  code === 'ERR_ASSERTION' ||
  (code === 'UND_ERR_SOCKET' && (message === 'bad response' || message === 'bad upgrade'))

/** The certificate codes of OpenSSL as Node reports them, and TLS faults proper. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_|PATH_LENGTH_|UNSPECIFIED$|HOSTNAME_MISMATCH|EPROTO)/

/**
 * One short text for the attempt log. It never carries the error's own message, which may hold an
 * address of the platform's network.
 */
export const describeFailure = (error: unknown): string => {
  if (error instanceof ForbiddenAddressError) return 'forbidden address'
  if (error instanceof UnresolvedNameError) return 'name not resolved'
  const fault = (error ?? {}) as Fault
  const code = typeof fault.code === 'string' ? fault.code : ''
  if (isMalformed(fault)) return 'answer is not HTTP/1.1'
  const known = KNOWN[code]
  if (known !== undefined) return known
  if (TLS_CODE.test(code)) return `TLS: ${code}`
  return code === '' ? 'network error' : `network error: ${code}`
}
