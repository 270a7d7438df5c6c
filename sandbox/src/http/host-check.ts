import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'

const nameOf = (host: string): string | null => URL.parse(`http://${host}`)?.hostname ?? null

/**
 * Answers 421 to requests for a foreign host name. Without this check a web page could use DNS rebinding to change
 * orders and the clock. Names of one label are accepted: containers use them, and no public web page has one.
 * @param own accepted hosts besides loopback
 */
export const rejectForeignHosts = (own: readonly string[], handler: RequestListener): RequestListener => {
  const known = new Set(own.map(nameOf))
  const isOwn = (host: string): boolean => {
    const name = nameOf(host)
    if (name === null) return false
    if (known.has(name) || name === '[::1]') return true
    return isIP(name) === 4 ? name.startsWith('127.') : /^[a-z0-9-]+$/.test(name)
  }
  return (request, response) => {
    if (isOwn(request.headers.host ?? '')) handler(request, response)
    else response.writeHead(421, { 'content-type': 'text/plain', connection: 'close' }).end('Another host\n')
  }
}
