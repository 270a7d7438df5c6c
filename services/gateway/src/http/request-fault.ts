import type { IncomingMessage } from 'node:http'
import type { ErrorDetail } from '@causeway/contracts'

const invalid = (field: string, reason: 'required' | 'too_many' | 'invalid_value'): ErrorDetail => ({
  field,
  reason,
})

const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** Origin form, asterisk form, or an absolute URL of the web (RFC 9112 §3.2). */
const isTarget = (target: string): boolean => {
  if (target.startsWith('/') || target === '*') return true
  const protocol = URL.parse(target)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/**
 * What makes a message that node:http has parsed no request of HTTP/1.0 or 1.1, or null: another version (HTTP/0.9
 * included), a `Host` that comes twice or is missing (RFC 9112 §3.2), a target that does not parse. Two readers of such
 * a request, a proxy and this server, could take it for two different ones.
 */
export const faultOf = (request: IncomingMessage): ErrorDetail | null => {
  const { httpVersion, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalid('http-version', 'invalid_value')
  const hosts = hostsOf(request)
  if (hosts > 1) return invalid('host', 'too_many')
  if (hosts === 0 && httpVersion === '1.1') return invalid('host', 'required')
  return isTarget(url) ? null : invalid('request-target', 'invalid_value')
}
