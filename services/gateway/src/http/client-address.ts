import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

const GROUPS_OF_A_NETWORK = 4

/** An IPv4-mapped IPv6 address as IPv4. */
const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** The /64 of an IPv6 address, because one caller owns all of it; an IPv4 address as it is. */
export const networkOf = (given: string): string => {
  const address = unmapped(given)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const leading = head === '' ? [] : head.split(':')
  const trailing = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - leading.length - trailing.length) }, () => '0')
  return [...leading, ...zeros, ...trailing].slice(0, GROUPS_OF_A_NETWORK).join(':')
}

/**
 * The caller's full address, to be compared with lists of allowed addresses.
 * @param trustedProxies number of proxies in front that append to `X-Forwarded-For`. The caller's address is the entry
 *   that the outermost of them appended; the entries before it were written by the caller
 */
export const callerAddress = (trustedProxies: number) => {
  return (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? ''
    if (trustedProxies === 0) return unmapped(peer)
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    return unmapped(forwarded.at(-trustedProxies)?.trim() ?? peer)
  }
}

/** The key under which unauthenticated callers are rate limited: address or /64 network (see {@link callerAddress}). */
export const clientAddress = (trustedProxies: number) => {
  const addressOf = callerAddress(trustedProxies)
  return (request: IncomingMessage): string => networkOf(addressOf(request))
}

/**
 * The part of an address that is logged: its /24, or with IPv6 its /48. An address is personal data; a network is enough
 * to see where an attack comes from. Text that is not an address is logged as `unknown`, never as it was sent.
 * @param address as `clientAddress` gives it
 */
export const loggedNetwork = (address: string): string => {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  const groups = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}$/i.exec(address)?.[1]
  return groups === undefined ? 'unknown' : `${groups}::/48`
}
