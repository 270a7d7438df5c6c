import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

const GROUPS_OF_A_NETWORK = 4

/** IPv4 in IPv6 is IPv4. */
const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** An IPv6 caller owns a whole /64. */
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
 * The address that a caller has, for lists of allowed ones.
 * @param trustedProxies how many proxies in front append to `X-Forwarded-For`: the address that the outermost of them
 *   saw counts; entries before it are the caller's own claim
 */
export const callerAddress = (trustedProxies: number) => {
  return (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? ''
    if (trustedProxies === 0) return unmapped(peer)
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    return unmapped(forwarded.at(-trustedProxies)?.trim() ?? peer)
  }
}

/** Tells callers without a right credential apart, for what they are allowed alone (see {@link callerAddress}). */
export const clientAddress = (trustedProxies: number) => {
  const addressOf = callerAddress(trustedProxies)
  return (request: IncomingMessage): string => networkOf(addressOf(request))
}

/**
 * What the log may say of an address: the /24 in which it lies, with IPv6 the /48. An address is
 * personal data; a network is enough to see where an attack comes from. What is no address is not repeated.
 * @param address as `clientAddress` gives it
 */
export const loggedNetwork = (address: string): string => {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  const groups = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}$/i.exec(address)?.[1]
  return groups === undefined ? 'unknown' : `${groups}::/48`
}
