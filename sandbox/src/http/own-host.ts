import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'

const nameOf = (host: string): string | null => URL.parse(`http://${host}`)?.hostname ?? null

/**
 * Answers 421 to what was sent to another host's name: a page in a browser whose name was bound to this address (DNS
 * rebinding) could move orders and the clock otherwise. Names of one label are taken, for no page has one: other
 * containers call the sandbox so.
 * @param own hosts by which it is known beside loopback
 */
export const forOwnHost = (own: readonly string[], handler: RequestListener): RequestListener => {
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
