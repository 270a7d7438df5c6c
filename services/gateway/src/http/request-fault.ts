import type { IncomingMessage } from 'node:http'
import type { ErrorDetail } from '@causeway/contracts'

const VERSION: ErrorDetail = { field: 'http-version', reason: 'invalid_value', allowed: ['1.0', '1.1'] }
const TARGET: ErrorDetail = {
  field: 'request-target',
  reason: 'invalid_value',
  expected: 'a path, *, or an http or https address',
}

const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** Origin form, asterisk form, or an absolute http or https URL (RFC 9112 §3.2). */
const isTarget = (target: string): boolean => {
  if (target.startsWith('/') || target === '*') return true
  const protocol = URL.parse(target)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/**
 * Why a message that node:http has parsed is not a valid request, or null: a version other than HTTP/1.0 and 1.1, a
 * `Host` that is missing or comes twice (RFC 9112 §3.2), a target that does not parse. A proxy and this server could
 * read such a message as two different requests (request smuggling).
 */
export const faultOf = (request: IncomingMessage): ErrorDetail | null => {
  const { httpVersion, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return VERSION
  const hosts = hostsOf(request)
  if (hosts > 1) return { field: 'host', reason: 'too_many' }
  if (hosts === 0 && httpVersion === '1.1') return { field: 'host', reason: 'required' }
  return isTarget(url) ? null : TARGET
}
