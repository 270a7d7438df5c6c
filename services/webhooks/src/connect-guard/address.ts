import { BlockList, isIP } from 'node:net'

/**
 * Addresses that no delivery may reach: every block of the IANA special-purpose registries that is not globally
 * reachable (RFC 6890 and its updates), and those that tunnel to one (6to4, Teredo, NAT64).
 */
export const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const

/** Blocks within 2000::/3; all addresses outside are refused, including IPv4-mapped and NAT64 addresses. */
export const FORBIDDEN_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // the former 6bone
  ['3fff::', 20], // documentation
] as const

/** The globally reachable part of IPv6. */
export const GLOBAL_IPV6 = ['2000::', 3] as const

const listOf = (subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}

const forbiddenIpv4 = listOf(FORBIDDEN_IPV4, 'ipv4')
const forbiddenIpv6 = listOf(FORBIDDEN_IPV6, 'ipv6')
const globalIpv6 = listOf([GLOBAL_IPV6], 'ipv6')
const loopbackIpv4 = listOf([['127.0.0.0', 8]], 'ipv4')
const loopbackIpv6 = listOf([['::1', 128]], 'ipv6')

/**
 * Checks whether a delivery may be sent to this address (decisions §12).
 * @param address IPv4 in dotted form or IPv6 without brackets; anything else is refused
 * @param allowLoopback the sandbox's exception (`WEBHOOK_ALLOW_INSECURE`); it opens nothing but loopback
 */
export const isAllowedAddress = (address: string, allowLoopback: boolean): boolean => {
  const version = isIP(address)
  if (version === 4) {
    if (loopbackIpv4.check(address, 'ipv4')) return allowLoopback
    return !forbiddenIpv4.check(address, 'ipv4')
  }
  if (version === 6) {
    if (loopbackIpv6.check(address, 'ipv6')) return allowLoopback
    return globalIpv6.check(address, 'ipv6') && !forbiddenIpv6.check(address, 'ipv6')
  }
  return false
}
